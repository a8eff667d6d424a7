import type { SessionDirectory, SessionHandle } from '../session-host/index.ts'
import { fault } from './fault.ts'

/**
 * Returns the user's live session.
 * @throws Fault `NO_ACTIVE_SESSION` (503) if there is none: phones then reconnect and repeat the request
 */
export async function requireSession(sessions: SessionDirectory, userId: string): Promise<SessionHandle> {
  const session = await sessions.find(userId)
  if (session === undefined) throw fault('NO_ACTIVE_SESSION')
  return session
}
