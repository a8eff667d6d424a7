import type { Random } from '../session/index.ts'
import { type Clock, pause } from '../time/index.ts'
import type { Sessions } from './sessions.ts'

/**
 * Hands the sessions of a node that stops over to other nodes. They are spread over a time, so that not all clients
 * reconnect at once.
 */
export async function handOverSessions(
  sessions: Sessions,
  clock: Clock,
  random: Random,
  spreadMs: number,
): Promise<void> {
  sessions.stopOpening()
  await Promise.allSettled(
    sessions.userIds.map(async (userId) => {
      await pause(clock, random() * spreadMs)
      await sessions.handOver(userId)
    }),
  )
}
