import { exchangeStoreTokenResponse, exchangeUserTokenBody } from '@glasses-cloud/contract'
import { none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { WebviewEndpointDeps } from './deps.ts'
import { webviewPath } from './schemas.ts'

/** Lifetime of the core token of the store. */
const STORE_TOKEN_MS = 60 * 60 * 1000

/**
 * Exchanges the temporary token of the store for a core token, because the store installs apps for the user without a
 * server. Only the configured store package may do this.
 */
export const exchangeStoreToken = ({ config, catalogue, webviewTokens, tokens }: WebviewEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: webviewPath('exchange-store-token'),
    summary: 'Exchange the temporary token of the store for a core token of its user',
    tags: ['webview'],
    style: 'bare',
    auth: none,
    schema: { body: exchangeUserTokenBody, response: { 200: exchangeStoreTokenResponse } },
    errors: ['STORE_NOT_CONFIGURED', 'STORE_FORBIDDEN', 'WEBVIEW_TOKEN_INVALID'],
    limits: { bodyBytes: 16 * 1024 },
    handler: async ({ body }) => {
      const { storePackage } = config.auth
      if (storePackage === undefined) throw fault('STORE_NOT_CONFIGURED')
      if (body.packageName !== storePackage) throw fault('STORE_FORBIDDEN')
      const app = await catalogue.find(storePackage, undefined)
      const user = app && (await webviewTokens.exchange(body.aos_temp_token, app))
      if (user === undefined) throw fault('WEBVIEW_TOKEN_INVALID')
      const coreToken = tokens.issue(user, { lifetimeMs: STORE_TOKEN_MS })
      return { success: true as const, userId: user.email, tokens: { coreToken } }
    },
  })
