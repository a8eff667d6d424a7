import type { Logger } from 'pino'
import type { DeletionStep } from '../../personal-data.ts'
import type { OwnershipStore } from './ownership-store.ts'

/** Ends the user's ownership of apps and organizations; the log names the apps that are left without an owner. */
export function giveUpOwnership(store: OwnershipStore, now: () => number, log: Logger): DeletionStep {
  return {
    name: 'ownership',
    phase: 'ownership',
    tables: ['apps', 'organizations'],
    async run(user) {
      for (const packageName of await store.giveUp(user, now()))
        log.warn({ packageName }, 'catalogue: app lost its only owner and was unpublished')
    },
  }
}
