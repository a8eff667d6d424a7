import type { FastifyRequest } from 'fastify'
import type { PersonalTokenScope, TokenScope } from '../../identity/index.ts'
import {
  type AnonymousCaller,
  type AuthOutcome,
  type AuthScheme,
  absent,
  accepted,
  bearer,
  bearerToken,
  bodyText,
  rejected,
  type SchemeDeps,
  type SecurityRequirement,
  type UserCaller,
} from './scheme.ts'
import { authenticateCookie, sessionCookieSecurity } from './session-cookie.ts'

/**
 * Authenticates the bearer token of a request as one of the scopes, or the session cookie of a browser, which counts as
 * a core token.
 */
async function authenticateUser(
  request: FastifyRequest,
  deps: SchemeDeps,
  scopes: readonly TokenScope[],
): Promise<AuthOutcome<UserCaller>> {
  const token = bearerToken(request.headers.authorization)
  if (token !== undefined) return authenticateToken(token, request, deps, scopes)
  return scopes.includes('core') ? authenticateCookie(request, deps) : absent('UNAUTHORIZED')
}

/** Authenticates a token from any part of the request as one of the scopes. */
async function authenticateToken(
  token: string,
  request: FastifyRequest,
  deps: SchemeDeps,
  scopes: readonly TokenScope[],
): Promise<AuthOutcome<UserCaller>> {
  const outcome = await deps.authenticator.authenticateToken(token, { scopes })
  if (!outcome.ok) {
    request.log.debug({ reason: outcome.reason }, 'token rejected')
    return rejected('UNAUTHORIZED')
  }
  const { user, scope, loginId, expiresAt } = outcome
  return accepted({ kind: 'user', user, scope, loginId, tokenExpiresAt: expiresAt })
}

/** The core token in the OpenAPI document. */
export const coreTokenSecurity: SecurityRequirement = {
  coreToken: { ...bearer('Core token of a user'), bearerFormat: 'JWT' },
}

/** A user's core token (decision I2), or the session cookie of a browser. */
export const coreToken: AuthScheme<UserCaller> = {
  name: 'coreToken',
  security: [coreTokenSecurity, sessionCookieSecurity],
  errors: ['UNAUTHORIZED'],
  authenticate: (request, deps) => authenticateUser(request, deps, ['core']),
}

/** Like `coreToken`, or the token of the store's web page, which opens nothing else (WEB-12). */
export const coreOrStoreToken: AuthScheme<UserCaller> = {
  ...coreToken,
  name: 'coreOrStoreToken',
  security: [
    ...coreToken.security,
    {
      storeToken: {
        ...bearer("Token of the store's web page, from POST /api/auth/exchange-store-token"),
        bearerFormat: 'JWT',
      },
    },
  ],
  authenticate: (request, deps) => authenticateUser(request, deps, ['core', 'store']),
}

/**
 * An optional core token. An invalid token counts as absent, so that open endpoints still work for a phone whose token
 * has expired.
 */
export const optionalCoreToken = optional('optionalCoreToken', coreToken)

/** Like `optionalCoreToken`, or the token of the store's web page. */
export const optionalCoreOrStoreToken = optional('optionalCoreOrStoreToken', coreOrStoreToken)

function optional(name: string, scheme: AuthScheme<UserCaller>): AuthScheme<UserCaller | AnonymousCaller> {
  return {
    name,
    security: [{}, ...scheme.security],
    errors: [],
    async authenticate(request, deps) {
      const outcome = await scheme.authenticate(request, deps)
      return outcome.ok ? outcome : accepted({ kind: 'anonymous' })
    },
  }
}

/** A glasses token, or a core token, which phones of this ecosystem use instead (decision I3). */
export const glassesToken: AuthScheme<UserCaller> = {
  name: 'glassesToken',
  security: [
    {
      glassesToken: {
        ...bearer('Token for glasses, from POST /api/auth/glasses-token'),
        bearerFormat: 'JWT',
      },
    },
    coreTokenSecurity,
    sessionCookieSecurity,
  ],
  errors: ['UNAUTHORIZED'],
  authenticate: (request, deps) => authenticateUser(request, deps, ['core', 'glasses']),
}

/** Like `glassesToken`, in the header or, for older glasses, as `coreToken` in the body. */
export const glassesTokenAnywhere: AuthScheme<UserCaller> = {
  ...glassesToken,
  name: 'glassesTokenAnywhere',
  async authenticateBody(request, deps) {
    const token = bodyText(request, 'coreToken')
    return token === undefined
      ? absent('UNAUTHORIZED')
      : authenticateToken(token, request, deps, ['core', 'glasses'])
  },
}

/**
 * A core token, or a personal access token with the given scope; one without it is rejected with 403.
 * @param userScheme accepted instead of a core token
 */
export function coreOrPersonalToken(
  scope: PersonalTokenScope,
  userScheme: AuthScheme<UserCaller> = coreToken,
): AuthScheme<UserCaller> {
  return {
    name: `${userScheme.name} or personalToken ${scope}`,
    security: [
      ...userScheme.security,
      { personalToken: bearer('Personal access token, from POST /api/auth/tokens') },
    ],
    errors: [...userScheme.errors, 'TOKEN_SCOPE_REQUIRED'],
    async authenticate(request, deps) {
      const token = bearerToken(request.headers.authorization)
      if (token === undefined || !deps.personalTokens.isPersonalToken(token))
        return userScheme.authenticate(request, deps)
      const owner = await deps.personalTokens.verify(token)
      if (owner === undefined) return rejected('UNAUTHORIZED')
      if (!owner.scopes.includes(scope)) return rejected('TOKEN_SCOPE_REQUIRED')
      return accepted({ kind: 'user', user: owner.user, scope: 'core', personalTokenId: owner.tokenId })
    },
  }
}

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
