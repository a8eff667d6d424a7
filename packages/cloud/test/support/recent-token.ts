import { LOGIN_LIFETIME_MS } from '../../src/identity/index.ts'
import type { LocalCloud } from './test-cloud.ts'

/** Issues a core token of a sign-in at this moment, or `ageMs` ago, for a user, who is created if necessary. */
export async function recentToken(
  { cloud, operator }: LocalCloud,
  email: string,
  ageMs = 0,
): Promise<string> {
  const user = await operator.users.findOrCreate(email, Date.now())
  const login = await cloud.logins.create(user.id, {}, Date.now() - ageMs, {
    lifetimeMs: LOGIN_LIFETIME_MS + ageMs,
  })
  return cloud.tokens.issue(user, { loginId: login.id })
}
