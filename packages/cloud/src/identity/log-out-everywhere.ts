import type { LoginStore } from './login-store.ts'
import type { PersonalTokenStore } from './personal-token-store.ts'
import type { User, UserStore } from './user-store.ts'

export interface LogOutDeps {
  readonly users: UserStore
  readonly logins: LoginStore
  readonly personalTokenStore: PersonalTokenStore
  readonly now: () => number
}

/**
 * Revokes every token of a user: logins, core, glasses, refresh and personal tokens. Their live session ends on the node
 * that hosts it, which notices the change.
 */
export async function logOutEverywhere(
  { users, logins, personalTokenStore, now }: LogOutDeps,
  user: User,
): Promise<void> {
  // `Tokens.issue` dates tokens ahead in the second after an earlier logout; these are revoked as well.
  const afterEarlier = Math.ceil(user.tokensValidFrom / 1000) * 1000 + 1
  await users.setTokensValidFrom(user.id, Math.max(now(), afterEarlier))
  await logins.removeAll(user.id)
  await personalTokenStore.removeAll(user.id)
}
