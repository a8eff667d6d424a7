import { exchangeUserTokenBody, exchangeUserTokenResponse } from '@glasses-cloud/contract'
import { appKeyHeaders } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { WebviewEndpointDeps } from './deps.ts'
import { webviewPath } from './schemas.ts'

/** Exchanges the temporary token of a web view for the e-mail of its user, for the server of the app. */
export const exchangeUserToken = ({ webviewTokens }: WebviewEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: webviewPath('exchange-user-token'),
    summary: 'Exchange the temporary token of a web view for its user',
    tags: ['webview'],
    style: 'bare',
    auth: appKeyHeaders,
    namedUser: 'none',
    schema: { body: exchangeUserTokenBody, response: { 200: exchangeUserTokenResponse } },
    errors: ['WEBVIEW_TOKEN_INVALID'],
    handler: async ({ caller: { app }, body }) => {
      // The key identifies the app; the body must name the same one.
      if (body.packageName !== app.packageName) throw fault('UNAUTHORIZED')
      const user = await webviewTokens.exchange(body.aos_temp_token, app)
      if (user === undefined) throw fault('WEBVIEW_TOKEN_INVALID')
      return { success: true as const, userId: user.email }
    },
  })
