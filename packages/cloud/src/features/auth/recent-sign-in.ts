import type { UserCaller } from '../../http/auth/index.ts'
import { fault } from '../../http/fault.ts'
import type { LoginStore } from '../../identity/index.ts'

/** Age of a sign-in after which no way to sign in can be added, so that a stolen session does not become permanent. */
const RECENT_MS = 60 * 60_000

/**
 * Requires a recent sign-in. The login of a device does not count: whoever has the session could approve a device of
 * their own.
 * @throws Fault unless the caller signed in within the last hour
 */
export async function requireRecentSignIn(
  { logins, now }: { readonly logins: LoginStore; readonly now: () => number },
  { loginId }: UserCaller,
): Promise<void> {
  const login = loginId === undefined ? undefined : await logins.findLive(loginId, now())
  const isRecent = login !== undefined && !login.isDevice && now() - login.createdAt <= RECENT_MS
  if (!isRecent) throw fault('RECENT_SIGN_IN_REQUIRED')
}
