import type { AnonymousCaller, UserCaller } from './caller.ts'
import { coreTokenSecurity } from './core-token.ts'
import { type AuthScheme, accepted } from './scheme.ts'
import { sessionCookieSecurity } from './session-cookie.ts'
import { authenticateUser } from './user-token.ts'

/**
 * An optional core token. An invalid token counts as absent, so that open endpoints still work for a phone whose token
 * has expired.
 */
export const optionalCoreToken: AuthScheme<UserCaller | AnonymousCaller> = {
  name: 'optionalCoreToken',
  security: [{}, coreTokenSecurity, sessionCookieSecurity],
  errors: [],
  async authenticate(request, deps) {
    const outcome = await authenticateUser(request, deps, ['core'])
    return outcome.ok ? outcome : accepted({ kind: 'anonymous' })
  },
}
