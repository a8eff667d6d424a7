import { Type } from 'typebox'
import { coreToken } from '../../../http/auth/index.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { DEFAULT_TOKEN_LIFETIME_MS } from '../../../identity/index.ts'
import type { TokenEndpointDeps } from './deps.ts'

/** Issues a token that grants access to the glasses socket and the gallery only (decision I3). */
export const issueGlassesToken = ({ tokens }: TokenEndpointDeps) =>
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
          expiresIn: Type.Integer({ description: 'Lifetime of the token in seconds' }),
        }),
      },
    },
    errors: [],
    handler: async ({ caller }) => ({
      success: true as const,
      token: tokens.issue(caller.user, { scope: 'glasses', loginId: caller.loginId }),
      expiresIn: DEFAULT_TOKEN_LIFETIME_MS / 1000,
    }),
  })
