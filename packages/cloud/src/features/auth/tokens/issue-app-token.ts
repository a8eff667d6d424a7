import { Type } from 'typebox'
import { appKeyHeaders } from '../../../http/auth/index.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { APP_TOKEN_LIFETIME_MS } from '../../../identity/index.ts'
import type { TokenEndpointDeps } from './deps.ts'

/** Issues a token that authenticates the sockets of the app and nothing else (decision I9). */
export const issueAppToken = ({ appTokens }: Pick<TokenEndpointDeps, 'appTokens'>) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/app-token',
    summary: 'Issue a token for the sockets of an app',
    tags: ['auth'],
    style: 'bare',
    auth: appKeyHeaders,
    namedUser: 'none',
    schema: {
      body: Type.Object({
        packageName: Type.Optional(
          Type.String({ description: 'The package of an API key that is sent as bearer token' }),
        ),
      }),
      response: {
        200: Type.Object({
          success: Type.Literal(true),
          token: Type.String({ description: 'JWT for the Authorization header of /app-ws' }),
          expiresIn: Type.Integer({
            description: 'Lifetime of the token in seconds; it ends with the API key',
          }),
        }),
      },
    },
    errors: [],
    handler: async ({ caller: { app } }) => ({
      success: true as const,
      token: appTokens.issue(app),
      expiresIn: APP_TOKEN_LIFETIME_MS / 1000,
    }),
  })
