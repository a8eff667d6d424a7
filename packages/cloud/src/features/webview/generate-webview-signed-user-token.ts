import { webviewSignedTokenResponse, webviewTokenBody } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { findWebApp } from '../web-tokens/index.ts'
import type { WebviewEndpointDeps } from './deps.ts'
import { webviewPath } from './schemas.ts'

/** Issues a signed token for the web view of an app, the same as for web sign-in (decision I6). */
export const generateWebviewSignedUserToken = ({ catalogue, webTokens }: WebviewEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: webviewPath('generate-webview-signed-user-token'),
    summary: 'Issue a signed token for the web view of an app',
    tags: ['webview'],
    style: 'bare',
    auth: coreToken,
    schema: { body: webviewTokenBody, response: { 200: webviewSignedTokenResponse } },
    errors: ['PACKAGE_NAME_REQUIRED', 'APP_NOT_FOUND', 'NO_WEB_AUTHENTICATION', 'TOKEN_NOT_GENERATED'],
    invalid: 'PACKAGE_NAME_REQUIRED',
    failure: 'TOKEN_NOT_GENERATED',
    handler: async ({ caller: { user }, body }) => {
      const app = await findWebApp(catalogue, body.packageName, user)
      const token = await webTokens.issue(user.email, app)
      return { success: true as const, token, expiresIn: '10m' as const }
    },
  })
