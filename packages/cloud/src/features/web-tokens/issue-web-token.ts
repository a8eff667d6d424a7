import { Type } from 'typebox'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { OAuthEndpointDeps } from './deps.ts'
import { findWebApp } from './find-web-app.ts'

/** Issues the token with which the user signs in to the web page of an app (decision I6). */
export const issueWebToken = ({ catalogue, webTokens }: OAuthEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/account/oauth/token',
    summary: 'Issue a token for the web page of an app',
    tags: ['account'],
    style: 'bare',
    auth: coreToken,
    schema: {
      body: Type.Object({ packageName: Type.String({ minLength: 1 }) }),
      response: {
        200: Type.Object({
          success: Type.Literal(true),
          token: Type.String({ description: 'RS256; verified with /.well-known/jwks.json' }),
          expiresIn: Type.Literal('10m'),
        }),
      },
    },
    errors: ['PACKAGE_NAME_REQUIRED', 'APP_NOT_FOUND', 'NO_WEB_AUTHENTICATION', 'TOKEN_NOT_GENERATED'],
    invalid: 'PACKAGE_NAME_REQUIRED',
    failure: 'TOKEN_NOT_GENERATED',
    handler: async ({ caller: { user }, body }) => {
      const app = await findWebApp(catalogue, body.packageName, user)
      const token = await webTokens.issue(user.email, app)
      return { success: true as const, token, expiresIn: '10m' as const }
    },
  })
