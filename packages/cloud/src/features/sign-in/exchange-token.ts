import { exchangeTokenBody, exchangeTokenResponse } from '@glasses-cloud/contract'
import { none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { IssuerUnavailable } from '../../identity/index.ts'
import type { SignInEndpointDeps } from './deps.ts'

/**
 * Turns the token of an identity provider into a core token (decision I4). Phones send whatever they have as bearer,
 * often `null`, and it is not looked at. Nobody gets a token on anything but the word of a provider that the operator
 * named.
 */
export const exchangeToken = ({ signIn, authenticator, tokens }: SignInEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: ['/api/auth/exchange-token', '/auth/exchange-token'],
    summary: 'Turn the token of an identity provider into a core token',
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
        log.debug({ reason: outcome?.reason ?? 'invalid' }, 'token of an identity provider refused')
        throw fault('UNAUTHORIZED')
      }
      return { coreToken: tokens.issue(outcome.user) }
    },
  })
