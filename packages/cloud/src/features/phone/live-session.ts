import { fault } from '../../http/fault.ts'
import type { Services } from '../../http/services.ts'
import type { User } from '../../identity/index.ts'
import type { SessionHandle } from '../../session-host/index.ts'

/**
 * The user's live session, which an endpoint cannot do without.
 * @throws Fault NO_ACTIVE_SESSION (503) without one: newer phones then reconnect and call again
 */
export async function liveSession({ sessions }: Services, user: User): Promise<SessionHandle> {
  const session = await sessions.find(user.id)
  if (session === undefined) throw fault('NO_ACTIVE_SESSION')
  return session
}
