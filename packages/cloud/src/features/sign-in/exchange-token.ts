import { exchangeTokenBody, exchangeTokenResponse } from '@glasses-cloud/contract'
import { none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { IssuerUnavailable } from '../../identity/index.ts'
import type { SignInEndpointDeps } from './deps.ts'

/**
 * Exchanges the token of a configured identity provider for a core token (decision I4). The bearer token
 * is ignored, because phones send arbitrary values in it, often `null`.
 */
export const exchangeToken = ({ signIn, authenticator, tokens }: SignInEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: ['/api/auth/exchange-token', '/auth/exchange-token'],
    summary: 'Exchange the token of an identity provider for a core token',
    tags: ['auth'],
    style: 'bare',
    auth: none,
    schema: { body: exchangeTokenBody, response: { 200: exchangeTokenResponse } },
    errors: ['SIGN_IN_TOKEN_REQUIRED', 'SIGN_IN_NOT_CONFIGURED', 'SIGN_IN_UNAVAILABLE', 'UNAUTHORIZED'],
    handler: async ({ body, log }) => {
      const offered = [
        [body.supabaseToken, signIn.supabase],
        [body.authingToken, signIn.authing],
        [body.idToken, signIn.openId],
      ] as const
      const [token, read] = offered.find(([candidate]) => candidate) ?? []
      if (!token) throw fault('SIGN_IN_TOKEN_REQUIRED')
      if (!read) throw fault('SIGN_IN_NOT_CONFIGURED')
      const identity = await read(token).catch((cause: unknown) => {
        throw cause instanceof IssuerUnavailable ? fault('SIGN_IN_UNAVAILABLE', { cause }) : cause
      })
      const outcome = identity && (await authenticator.authenticateIdentity(identity))
      if (!outcome?.ok) {
        log.debug(
          { reason: outcome?.reason ?? 'invalid' },
          'sign-in: token of the identity provider rejected',
        )
        throw fault('UNAUTHORIZED')
      }
      return { coreToken: tokens.issue(outcome.user) }
    },
  })
