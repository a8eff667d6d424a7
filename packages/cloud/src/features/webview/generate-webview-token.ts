import { webviewTokenBody, webviewTokenResponse } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { findWebApp } from '../web-tokens/index.ts'
import type { WebviewEndpointDeps } from './deps.ts'
import { webviewPath } from './schemas.ts'

/** Issues the temporary token with which the phone opens the web view of an app. */
export const generateWebviewToken = ({ catalogue, webviewTokens }: WebviewEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: webviewPath('generate-webview-token'),
    summary: 'Issue a temporary token for the web view of an app',
    tags: ['webview'],
    style: 'bare',
    auth: coreToken,
    schema: { body: webviewTokenBody, response: { 200: webviewTokenResponse } },
    errors: ['PACKAGE_NAME_REQUIRED', 'APP_NOT_FOUND', 'NO_WEB_AUTHENTICATION', 'TOKEN_NOT_GENERATED'],
    invalid: 'PACKAGE_NAME_REQUIRED',
    failure: 'TOKEN_NOT_GENERATED',
    handler: async ({ caller: { user }, body }) => {
      const app = await findWebApp(catalogue, body.packageName, user)
      return { success: true as const, token: await webviewTokens.issue(user, app) }
    },
  })
