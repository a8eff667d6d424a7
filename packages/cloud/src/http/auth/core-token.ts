import type { UserCaller } from './caller.ts'
import type { AuthScheme, SecurityRequirement } from './scheme.ts'
import { authenticateUser } from './user-token.ts'

/** How OpenAPI names the core token. */
export const coreTokenSecurity: SecurityRequirement = {
  coreToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Core token of a user' },
}

/** A user's core token (decision I2). */
export const coreToken: AuthScheme<UserCaller> = {
  name: 'coreToken',
  security: [coreTokenSecurity],
  errors: ['UNAUTHORIZED'],
  authenticate: (request, deps) => authenticateUser(request, deps, ['core']),
}
