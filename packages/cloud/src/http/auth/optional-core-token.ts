import type { AnonymousCaller, UserCaller } from './caller.ts'
import { coreTokenSecurity } from './core-token.ts'
import { type AuthScheme, accepted } from './scheme.ts'
import { authenticateUser } from './user-token.ts'

/**
 * A core token, or none. A token that opens nothing counts as none: what is open to everybody must not close for
 * a phone whose token has just expired.
 */
export const optionalCoreToken: AuthScheme<UserCaller | AnonymousCaller> = {
  name: 'optionalCoreToken',
  security: [{}, coreTokenSecurity],
  errors: [],
  async authenticate(request, deps) {
    const outcome = await authenticateUser(request, deps, ['core'])
    return outcome.ok ? outcome : accepted({ kind: 'anonymous' })
  },
}
