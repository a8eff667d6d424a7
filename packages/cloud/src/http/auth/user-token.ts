import type { FastifyRequest } from 'fastify'
import type { TokenScope } from '../../identity/index.ts'
import { bearerToken } from './bearer.ts'
import type { UserCaller } from './caller.ts'
import type { AuthDeps } from './deps.ts'
import { type AuthOutcome, absent, accepted, rejected } from './scheme.ts'

/** Authenticates the bearer token of a request as one of the scopes. */
export async function authenticateUser(
  request: FastifyRequest,
  deps: AuthDeps,
  scopes: readonly TokenScope[],
): Promise<AuthOutcome<UserCaller>> {
  const token = bearerToken(request.headers.authorization)
  return token === undefined ? absent('UNAUTHORIZED') : authenticateToken(token, request, deps, scopes)
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
  return accepted({ kind: 'user', user: outcome.user, scope: outcome.scope })
}
