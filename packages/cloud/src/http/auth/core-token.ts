import type { UserCaller } from './caller.ts'
import type { AuthScheme, SecurityRequirement } from './scheme.ts'
import { authenticateUser } from './user-token.ts'

/** The core token in the OpenAPI document. */
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
