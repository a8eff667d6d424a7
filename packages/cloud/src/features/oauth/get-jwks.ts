import { Type } from 'typebox'
import { none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { OAuthEndpointDeps } from './deps.ts'

const jwk = Type.Object(
  {
    kty: Type.Literal('RSA'),
    kid: Type.String(),
    alg: Type.Literal('RS256'),
    use: Type.Literal('sig'),
    n: Type.String(),
    e: Type.String(),
  },
  { title: 'JWK' },
)

/** The public key of the tokens for web pages of apps (RFC 7517). Pages in browsers may read it too. */
export const getJwks = ({ webTokens }: OAuthEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/.well-known/jwks.json',
    summary: 'Keys that tokens for web pages of apps are verified with',
    tags: ['account'],
    style: 'bare',
    auth: none,
    schema: { response: { 200: Type.Object({ keys: Type.Array(jwk) }) } },
    errors: [],
    handler: async ({ reply }) =>
      reply
        .headers({ 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' })
        .send(await webTokens.publicKeys()),
  })
