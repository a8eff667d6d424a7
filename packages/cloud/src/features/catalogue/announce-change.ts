import type { FastifyBaseLogger } from 'fastify'
import type { User } from '../../identity/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'

/**
 * Tells the user's glasses, if they are connected, that the list of apps changed. The change is stored by then,
 * so that glasses which cannot be told do not undo it: they read the list when they connect.
 */
export async function announceChange(
  sessions: SessionDirectory,
  user: User,
  log: FastifyBaseLogger,
): Promise<void> {
  try {
    const session = await sessions.find(user.id)
    await session?.appsChanged()
  } catch (error) {
    log.warn({ err: error }, 'a live session was not told that its apps changed')
  }
}
