import type { UserCaller } from './caller.ts'
import { coreTokenSecurity } from './core-token.ts'
import type { AuthScheme } from './scheme.ts'
import { sessionCookieSecurity } from './session-cookie.ts'
import { authenticateUser } from './user-token.ts'

/** A glasses token, or a core token, which phones of this ecosystem use instead (decision I3). */
export const glassesToken: AuthScheme<UserCaller> = {
  name: 'glassesToken',
  security: [
    {
      glassesToken: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: 'Token for glasses, from POST /api/auth/glasses-token',
      },
    },
    coreTokenSecurity,
    sessionCookieSecurity,
  ],
  errors: ['UNAUTHORIZED'],
  authenticate: (request, deps) => authenticateUser(request, deps, ['core', 'glasses']),
}
