import {
  exchangeStoreTokenResponse,
  exchangeUserTokenBody,
  exchangeUserTokenResponse,
  keyHashBody,
  keyHashResponse,
  webviewSignedTokenResponse,
  webviewTokenBody,
  webviewTokenResponse,
} from '@glasses-cloud/contract'
import type { Config } from '../../config/index.ts'
import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import { appKeyHeaders, coreToken, none } from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { LoginStore, Tokens, UserStore } from '../../identity/index.ts'
import type { Catalogue } from '../catalogue/index.ts'
import { findWebApp, requireConfirmed, type WebTokens } from '../web-tokens/index.ts'
import { WebviewTokenStore } from './webview-token-store.ts'
import { WebviewTokens } from './webview-tokens.ts'

export interface WebviewEndpointDeps {
  readonly catalogue: Catalogue
  readonly config: Config
  /** Base URL of the cloud for clients. */
  readonly publicUrl: () => URL
  readonly tokens: Tokens
  readonly logins: Pick<LoginStore, 'create'>
  readonly webTokens: WebTokens
  readonly webviewTokens: WebviewTokens
  /** Epoch ms. */
  readonly now: () => number
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/** Lifetime of the token of the store, and of its login. */
const STORE_TOKEN_MS = 60 * 60 * 1000

const common = { tags: ['webview'], style: 'bare' } as const

const webviewEndpoints = ({
  catalogue,
  config,
  logins,
  now,
  publicUrl,
  tokens,
  webTokens,
  webviewTokens,
}: WebviewEndpointDeps): Endpoint[] => [
  endpoint({
    ...common,
    method: 'POST',
    url: webviewPath('generate-webview-token'),
    summary: 'Issue a temporary token for the web view of an app',
    auth: coreToken,
    schema: { body: webviewTokenBody, response: { 200: webviewTokenResponse } },
    errors: [
      'PACKAGE_NAME_REQUIRED',
      'APP_NOT_FOUND',
      'NO_WEB_AUTHENTICATION',
      'ADDRESS_NOT_CONFIRMED',
      'TOKEN_NOT_GENERATED',
    ],
    invalid: 'PACKAGE_NAME_REQUIRED',
    failure: 'TOKEN_NOT_GENERATED',
    handler: async ({ caller: { user, loginId }, body }) => {
      const app = await findWebApp(catalogue, body.packageName, user)
      requireConfirmed(user)
      return { success: true as const, token: await webviewTokens.issue(user, app, loginId) }
    },
  }),
  // Issues a signed token for the web view of an app, the same as for web sign-in (decision I6).
  endpoint({
    ...common,
    method: 'POST',
    url: webviewPath('generate-webview-signed-user-token'),
    summary: 'Issue a signed token for the web view of an app',
    auth: coreToken,
    schema: { body: webviewTokenBody, response: { 200: webviewSignedTokenResponse } },
    errors: [
      'PACKAGE_NAME_REQUIRED',
      'APP_NOT_FOUND',
      'NO_WEB_AUTHENTICATION',
      'ADDRESS_NOT_CONFIRMED',
      'TOKEN_NOT_GENERATED',
    ],
    invalid: 'PACKAGE_NAME_REQUIRED',
    failure: 'TOKEN_NOT_GENERATED',
    handler: async ({ caller: { user }, body }) => {
      const app = await findWebApp(catalogue, body.packageName, user)
      requireConfirmed(user)
      const token = await webTokens.issue(user.email, app)
      return { success: true as const, token, expiresIn: '10m' as const }
    },
  }),
  endpoint({
    ...common,
    method: 'POST',
    url: webviewPath('hash-with-api-key'),
    summary: 'Hash the URL of this cloud with the key of an app',
    auth: coreToken,
    schema: { body: keyHashBody, response: { 200: keyHashResponse } },
    errors: [
      'APP_NOT_FOUND',
      'NO_WEB_AUTHENTICATION',
      'APP_NOT_YOURS',
      'NOT_HASHABLE',
      'ADDRESS_NOT_CONFIRMED',
      'APP_WITHOUT_KEY',
    ],
    handler: async ({ caller: { user }, body: { packageName, stringToHash } }) => {
      const app = await findWebApp(catalogue, packageName, user)
      const isOwn = await catalogue.ownershipOf(user)
      const isInUse = catalogue.isSystemApp(packageName) || (await catalogue.hasInstalled(user, app))
      if (!isInUse && !isOwn(app)) throw fault('APP_NOT_YOURS')
      if (!isHashable(stringToHash, user.email, publicUrl())) throw fault('NOT_HASHABLE')
      if (stringToHash === user.email) requireConfirmed(user)
      const hash = await webTokens.hashWithKey(stringToHash, app.id)
      if (hash === undefined) throw fault('APP_WITHOUT_KEY')
      return { success: true as const, hash }
    },
  }),
  endpoint({
    ...common,
    method: 'POST',
    url: webviewPath('exchange-user-token'),
    summary: 'Exchange the temporary token of a web view for its user',
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
  }),
  // Exchanges the temporary token of the store for a token with the scope of the store, because the store installs apps for
  // the user without a server. It belongs to a login of its own, which the user can end. Only the configured store package
  // may do this.
  endpoint({
    ...common,
    method: 'POST',
    url: webviewPath('exchange-store-token'),
    summary: 'Exchange the temporary token of the store for a token that installs apps for its user',
    auth: none,
    schema: { body: exchangeUserTokenBody, response: { 200: exchangeStoreTokenResponse } },
    errors: ['STORE_NOT_CONFIGURED', 'STORE_FORBIDDEN', 'WEBVIEW_TOKEN_INVALID'],
    limits: { bodyBytes: 16 * 1024 },
    handler: async ({ body, request }) => {
      const { storePackage } = config.auth
      if (storePackage === undefined) throw fault('STORE_NOT_CONFIGURED')
      if (body.packageName !== storePackage) throw fault('STORE_FORBIDDEN')
      const app = await catalogue.find(storePackage, undefined)
      const user = app && (await webviewTokens.exchange(body.aos_temp_token, app))
      if (user === undefined) throw fault('WEBVIEW_TOKEN_INVALID')
      const userAgent = `${app?.name} (${request.headers['user-agent'] ?? 'unknown browser'})`
      const origin = { ipAddress: request.ip, userAgent, isDevice: true, scope: 'store' } as const
      const login = await logins.create(user.id, origin, now(), {
        lifetimeMs: STORE_TOKEN_MS,
        endsWithBrowser: true,
      })
      const coreToken = tokens.issue(user, {
        scope: 'store',
        lifetimeMs: STORE_TOKEN_MS,
        loginId: login.id,
      })
      return { success: true as const, userId: user.email, tokens: { coreToken } }
    },
  }),
]

/** Paths of an endpoint, each with the alias of older clients. */
const webviewPath = (name: string) => [`/api/auth/${name}`, `/auth/${name}`]

/** Returns the public URL without and with its port; phones always send the port. */
function spellingsOf(publicUrl: URL): string[] {
  const { protocol, hostname, pathname } = publicUrl
  const port = publicUrl.port === '' ? DEFAULT_PORTS[protocol] : publicUrl.port
  const path = pathname.replace(/\/+$/, '')
  return [publicUrl.origin + path, `${protocol}//${hostname}:${port}${path}`]
}

/**
 * Whether a text may be hashed with the key of an app for a user. Apps trust such a hash: the hash of an e-mail address
 * identifies their user, and apps send their API key to a hashed URL. Therefore only the user's own e-mail and the configured URL are
 * allowed, never a URL taken from the request.
 */
function isHashable(text: string, email: string, publicUrl: URL): boolean {
  return text === email || spellingsOf(publicUrl).includes(text)
}

export interface WebviewDeps {
  readonly db: Database
  readonly config: Config
  readonly users: UserStore
  readonly logins: LoginStore
  readonly tokens: Tokens
  readonly catalogue: Catalogue
  readonly webTokens: WebTokens
  /** Base URL of the cloud for clients. */
  readonly publicUrl: () => URL
  /** Epoch ms. */
  readonly now: () => number
}

/** Identification of the user in the web views of apps (app-socket.md §3.5). */
export function createWebview({
  db,
  users,
  ...deps
}: WebviewDeps): Feature & { readonly webviewTokens: WebviewTokens } {
  const webviewTokens = new WebviewTokens({ ...deps, store: new WebviewTokenStore(db), users })
  const endpointDeps = { ...deps, webviewTokens }
  return {
    name: 'webview',
    webviewTokens,
    endpoints: webviewEndpoints(endpointDeps),
  }
}
