import type { UserCaller } from './caller.ts'
import { coreToken } from './core-token.ts'
import { type AuthScheme, rejected } from './scheme.ts'

/** The core token of an administrator of this cloud; other users are rejected with 403. */
export const administrator: AuthScheme<UserCaller> = {
  ...coreToken,
  name: 'administrator',
  errors: [...coreToken.errors, 'ADMINISTRATOR_REQUIRED'],
  async authenticate(request, deps) {
    const outcome = await coreToken.authenticate(request, deps)
    return outcome.ok && !outcome.caller.user.isAdministrator ? rejected('ADMINISTRATOR_REQUIRED') : outcome
  },
}
