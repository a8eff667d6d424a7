import type { UserCaller } from './caller.ts'
import { coreTokenSecurity } from './core-token.ts'
import type { AuthScheme } from './scheme.ts'
import { authenticateUser } from './user-token.ts'

/** A glasses token, or the core token that phones of this ecosystem have in its place (decision I3). */
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
  ],
  errors: ['UNAUTHORIZED'],
  authenticate: (request, deps) => authenticateUser(request, deps, ['core', 'glasses']),
}
