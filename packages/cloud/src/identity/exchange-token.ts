import { exchangeTokenAnswer, exchangeTokenBody } from '@glasses-cloud/contract'
import { none } from '../http/auth/index.ts'
import { endpoint } from '../http/endpoint.ts'
import { fault } from '../http/fault.ts'

/**
 * Turns the token of an identity provider into a core token (decision I4). Phones send whatever they have as bearer,
 * often `null`, and it is not looked at. Nobody gets a token on anything but the word of a provider that the operator
 * named.
 */
export const exchangeToken = endpoint({
  method: 'POST',
  url: ['/api/auth/exchange-token', '/auth/exchange-token'],
  summary: 'Turn the token of an identity provider into a core token',
  tags: ['auth'],
  style: 'bare',
  auth: none,
  schema: { body: exchangeTokenBody, response: { 200: exchangeTokenAnswer } },
  errors: ['SIGN_IN_TOKEN_REQUIRED', 'SIGN_IN_NOT_CONFIGURED', 'UNAUTHORIZED'],
  limits: { bodyBytes: 32 * 1024 },
  handler: async ({ body: { supabaseToken, authingToken }, services, log }) => {
    const { signIn, authenticator, tokens } = services
    const [token, read] = supabaseToken
      ? ([supabaseToken, signIn.supabase] as const)
      : ([authingToken, signIn.authing] as const)
    if (!token) throw fault('SIGN_IN_TOKEN_REQUIRED')
    if (!read) throw fault('SIGN_IN_NOT_CONFIGURED')
    const identity = read(token)
    const outcome = identity && (await authenticator.vouchedFor(identity))
    if (!outcome?.ok) {
      log.debug({ reason: outcome?.reason ?? 'invalid' }, 'token of an identity provider refused')
      throw fault('UNAUTHORIZED')
    }
    return { coreToken: tokens.issue(outcome.user) }
  },
})
