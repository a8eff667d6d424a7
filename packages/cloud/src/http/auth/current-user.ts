import type { LoginStore, PersonalTokenStore, User, UserStore } from '../../identity/index.ts'
import type { Clock } from '../../time/index.ts'
import type { UserCaller } from './caller.ts'

export interface CurrentUserDeps {
  readonly users: UserStore
  readonly logins: LoginStore
  readonly personalTokenStore: PersonalTokenStore
  readonly clock: Clock
}

/**
 * Checks a caller again during a long response.
 * @returns the user as it is now; undefined once it is deleted, suspended or logged out, or the token or login of the
 *   caller has ended
 */
export async function findCurrentUser(
  { users, logins, personalTokenStore, clock }: CurrentUserDeps,
  { user, loginId, tokenExpiresAt, personalTokenId }: UserCaller,
): Promise<User | undefined> {
  const current = await users.findById(user.id)
  if (current === undefined || current.suspendedAt !== undefined) return undefined
  if (current.tokensValidFrom > user.tokensValidFrom) return undefined
  const now = clock.now()
  if (tokenExpiresAt !== undefined && now >= tokenExpiresAt) return undefined
  if (loginId !== undefined && !(await logins.findLive(loginId, now))) return undefined
  if (personalTokenId !== undefined && !(await personalTokenStore.findLive(personalTokenId, now)))
    return undefined
  return current
}
