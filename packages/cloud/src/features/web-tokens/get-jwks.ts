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

/** Returns the public key of the tokens for web pages of apps (RFC 7517), to any origin. */
export const getJwks = ({ webTokens }: OAuthEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/.well-known/jwks.json',
    summary: 'Get the keys that verify tokens for web pages of apps',
    tags: ['account'],
    style: 'bare',
    auth: none,
    anyOrigin: true,
    schema: { response: { 200: Type.Object({ keys: Type.Array(jwk) }) } },
    errors: [],
    handler: async ({ reply }) =>
      reply.header('cache-control', 'public, max-age=300').send(await webTokens.publicKeys()),
  })
