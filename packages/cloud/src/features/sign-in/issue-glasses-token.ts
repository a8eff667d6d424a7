import { Type } from 'typebox'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { DEFAULT_TOKEN_LIFETIME_MS } from '../../identity/index.ts'
import type { SignInEndpointDeps } from './deps.ts'

/** Gives a phone a token that opens the glasses' socket and the gallery, and nothing else (decision I3). */
export const issueGlassesToken = ({ tokens }: SignInEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: ['/api/auth/glasses-token', '/auth/glasses-token'],
    summary: 'Issue a token for glasses',
    tags: ['auth'],
    style: 'bare',
    auth: coreToken,
    schema: {
      response: {
        200: Type.Object({
          success: Type.Literal(true),
          token: Type.String(),
          expiresIn: Type.Integer({ description: 'Seconds the token lives' }),
        }),
      },
    },
    errors: [],
    handler: async ({ caller }) => ({
      success: true as const,
      token: tokens.issue(caller.user, { scope: 'glasses' }),
      expiresIn: DEFAULT_TOKEN_LIFETIME_MS / 1000,
    }),
  })
