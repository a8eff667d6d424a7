import { Type } from 'typebox'
import { bearerToken, coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { DEFAULT_TOKEN_LIFETIME_MS } from '../../identity/index.ts'
import type { SignInEndpointDeps } from './deps.ts'

/**
 * Issues a new core token for a valid one (decision I4), with the same lifetime if that is shorter than the default.
 */
export const refreshToken = ({ tokens }: SignInEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: ['/api/auth/refresh', '/auth/refresh'],
    summary: 'Get a new core token for a valid one',
    tags: ['auth'],
    style: 'bare',
    auth: coreToken,
    schema: {
      response: {
        200: Type.Object({
          coreToken: Type.String(),
          expiresIn: Type.Integer({ description: 'Lifetime of the token in seconds' }),
        }),
      },
    },
    errors: [],
    handler: async ({ caller, request }) => {
      const reading = tokens.read(bearerToken(request.headers.authorization) ?? '')
      const lifeBefore = (reading.ok && reading.claims.lifetimeMs) || DEFAULT_TOKEN_LIFETIME_MS
      const expiresIn = Math.floor(Math.min(lifeBefore, DEFAULT_TOKEN_LIFETIME_MS) / 1000)
      return { coreToken: tokens.issue(caller.user, { lifetimeMs: expiresIn * 1000 }), expiresIn }
    },
  })
