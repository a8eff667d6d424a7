import { exchangeTokenBody, exchangeTokenResponse } from '@glasses-cloud/contract'
import type { FastifyRequest } from 'fastify'
import { authenticateCookie, none } from '../../../http/auth/index.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { fault } from '../../../http/fault.ts'
import { IssuerUnavailable, type User } from '../../../identity/index.ts'
import type { TokenEndpointDeps } from './deps.ts'

/**
 * Exchanges the token of an identity provider, or a session of ours, for a core token and a refresh token (decision I4).
 * The bearer token is ignored, because phones send arbitrary values in it, often `null`.
 */
export const exchangeToken = (deps: TokenEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: ['/api/auth/exchange-token', '/auth/exchange-token'],
    summary: 'Exchange a session, or the token of an identity provider, for a core token',
    tags: ['auth'],
    style: 'bare',
    auth: none,
    schema: { body: exchangeTokenBody, response: { 200: exchangeTokenResponse } },
    errors: [
      'SIGN_IN_TOKEN_REQUIRED',
      'SIGN_IN_NOT_CONFIGURED',
      'SIGN_IN_UNAVAILABLE',
      'SIGN_UP_CLOSED',
      'UNAUTHORIZED',
    ],
    handler: async ({ body, request, log }) => {
      const { identityProviders, authenticator, users, logins, loginTokens, now } = deps
      const offered = [
        [body.supabaseToken, identityProviders.supabase],
        [body.authingToken, identityProviders.authing],
        [body.idToken, identityProviders.openId],
      ] as const
      const [token, read] = offered.find(([candidate]) => candidate) ?? []
      if (!token) {
        const { user, loginId } = await sessionOf(deps, body.sessionToken, request)
        return loginTokens.issue(user, loginId)
      }
      if (!read) throw fault('SIGN_IN_NOT_CONFIGURED')
      const identity = await read(token).catch((cause: unknown) => {
        throw cause instanceof IssuerUnavailable ? fault('SIGN_IN_UNAVAILABLE', { cause }) : cause
      })
      if (identity?.needsAccount && (await users.findByEmail(identity.email)) === undefined)
        throw fault('SIGN_UP_CLOSED')
      const outcome = identity && (await authenticator.authenticateIdentity(identity))
      if (!outcome?.ok) {
        log.debug(
          { reason: outcome?.reason ?? 'invalid' },
          'sign-in: token of the identity provider rejected',
        )
        throw fault('UNAUTHORIZED')
      }
      const { user } = outcome
      const origin = { ipAddress: request.ip, userAgent: request.headers['user-agent'] }
      const { id } = await logins.create(user.id, origin, now())
      return loginTokens.issue(user, id)
    },
  })

/** Returns the user and the login of a session token, or of the session cookie of a browser. */
async function sessionOf(
  { authenticator, origins }: TokenEndpointDeps,
  sessionToken: string | null | undefined,
  request: FastifyRequest,
): Promise<{ readonly user: User; readonly loginId: string }> {
  if (sessionToken) {
    const outcome = await authenticator.authenticateSession(sessionToken)
    if (!outcome.ok || outcome.loginId === undefined) throw fault('UNAUTHORIZED')
    return { user: outcome.user, loginId: outcome.loginId }
  }
  const outcome = await authenticateCookie(request, { authenticator, ...origins })
  if (!outcome.ok) throw fault(outcome.absent ? 'SIGN_IN_TOKEN_REQUIRED' : 'UNAUTHORIZED')
  const { user, loginId } = outcome.caller
  if (loginId === undefined) throw fault('UNAUTHORIZED')
  return { user, loginId }
}
