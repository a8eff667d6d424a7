import type { PersonalTokenScope } from '../../identity/index.ts'
import { bearerToken } from './bearer.ts'
import type { UserCaller } from './caller.ts'
import { coreToken } from './core-token.ts'
import { type AuthScheme, accepted, rejected } from './scheme.ts'

/** A core token, or a personal access token with the given scope; one without it is rejected with 403. */
export function coreOrPersonalToken(scope: PersonalTokenScope): AuthScheme<UserCaller> {
  return {
    name: `coreToken or personalToken ${scope}`,
    security: [
      ...coreToken.security,
      {
        personalToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'Personal access token, from POST /api/auth/tokens',
        },
      },
    ],
    errors: [...coreToken.errors, 'TOKEN_SCOPE_REQUIRED'],
    async authenticate(request, deps) {
      const token = bearerToken(request.headers.authorization)
      if (token === undefined || !deps.personalTokens.isPersonalToken(token))
        return coreToken.authenticate(request, deps)
      const owner = await deps.personalTokens.verify(token)
      if (owner === undefined) return rejected('UNAUTHORIZED')
      if (!owner.scopes.includes(scope)) return rejected('TOKEN_SCOPE_REQUIRED')
      return accepted({ kind: 'user', user: owner.user, scope: 'core', personalTokenId: owner.tokenId })
    },
  }
}
