import { closeFrames } from '@glasses-cloud/contract'
import type { DeletionStep } from '../../../personal-data.ts'
import type { SessionDirectory } from '../../../session-host/index.ts'
import type { Exports } from '../exports/index.ts'

/** Ends the user's session on the node that hosts it. Glasses and apps are notified and disconnected. */
export function endSession(sessions: SessionDirectory, phase: 'sessions' | 'late-sessions'): DeletionStep {
  return {
    name: phase,
    phase,
    async run({ id: userId }) {
      const session = await sessions.find(userId)
      await session?.end(closeFrames.ACCOUNT_DELETED)
    },
  }
}

/** Deletes the user's data exports and their files. */
export function deleteExports(exports: Exports): DeletionStep {
  return { name: 'exports', phase: 'content', run: ({ id }) => exports.deleteByUser(id) }
}
