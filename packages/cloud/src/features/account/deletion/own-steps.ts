import { closeFrames } from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import type { DeletionStep } from '../../../personal-data.ts'
import type { SessionDirectory } from '../../../session-host/index.ts'
import type { Exports } from '../exports/index.ts'
import type { OwnershipStore } from './ownership-store.ts'

/** Ends the live session wherever it is: glasses and apps are told, sockets closed. */
export function endSession(
  sessions: SessionDirectory,
  phase: 'sessions' | 'late-sessions' = 'sessions',
): DeletionStep {
  return {
    name: phase,
    phase,
    async run({ id }) {
      const session = await sessions.find(id)
      await session?.end(closeFrames.ACCOUNT_DELETED)
    },
  }
}

/** Removes data exports and their files. */
export function removeExports(exports: Exports): DeletionStep {
  return { name: 'exports', phase: 'content', run: ({ id }) => exports.removeAllOf(id) }
}

/** Gives up apps and organizations; the log says which apps are nobody's from now on. */
export function giveUpOwnership(store: OwnershipStore, now: () => number, log: Logger): DeletionStep {
  return {
    name: 'ownership',
    phase: 'ownership',
    async run(user) {
      for (const packageName of await store.giveUp(user, now()))
        log.warn({ packageName }, 'an app lost its only owner and is no longer published')
    },
  }
}
