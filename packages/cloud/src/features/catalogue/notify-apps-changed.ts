import type { FastifyBaseLogger } from 'fastify'
import type { User } from '../../identity/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'

/**
 * Notifies the user's connected glasses that the list of apps changed. A failure is only logged: the change is stored,
 * and glasses read the list when they connect.
 */
export async function notifyAppsChanged(
  sessions: SessionDirectory,
  user: User,
  log: FastifyBaseLogger,
): Promise<void> {
  try {
    const session = await sessions.find(user.id)
    await session?.appsChanged()
  } catch (error) {
    log.warn({ err: error }, 'catalogue: session could not be notified of changed apps')
  }
}
