import type { UserCaller } from './caller.ts'
import type { AuthScheme, SecurityRequirement } from './scheme.ts'
import { sessionCookieSecurity } from './session-cookie.ts'
import { authenticateUser } from './user-token.ts'

/** The core token in the OpenAPI document. */
export const coreTokenSecurity: SecurityRequirement = {
  coreToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Core token of a user' },
}

/** A user's core token (decision I2), or the session cookie of a browser. */
export const coreToken: AuthScheme<UserCaller> = {
  name: 'coreToken',
  security: [coreTokenSecurity, sessionCookieSecurity],
  errors: ['UNAUTHORIZED'],
  authenticate: (request, deps) => authenticateUser(request, deps, ['core']),
}
