import type { FastifyRequest } from 'fastify'
import type { TokenScope } from '../../identity/index.ts'
import { bearerToken } from './bearer.ts'
import type { UserCaller } from './caller.ts'
import type { AuthDeps } from './deps.ts'
import { type AuthOutcome, absent, accepted, rejected } from './scheme.ts'
import { authenticateCookie } from './session-cookie.ts'

/**
 * Authenticates the bearer token of a request as one of the scopes, or the session cookie of a browser, which counts as
 * a core token.
 */
export async function authenticateUser(
  request: FastifyRequest,
  deps: AuthDeps,
  scopes: readonly TokenScope[],
): Promise<AuthOutcome<UserCaller>> {
  const token = bearerToken(request.headers.authorization)
  if (token !== undefined) return authenticateToken(token, request, deps, scopes)
  return scopes.includes('core') ? authenticateCookie(request, deps) : absent('UNAUTHORIZED')
}

/** Authenticates a token from any part of the request as one of the scopes. */
export async function authenticateToken(
  token: string,
  request: FastifyRequest,
  deps: AuthDeps,
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
