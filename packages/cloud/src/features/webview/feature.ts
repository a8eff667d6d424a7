import type { Config } from '../../config/index.ts'
import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import type { Tokens, UserStore } from '../../identity/index.ts'
import type { Catalogue } from '../catalogue/index.ts'
import type { WebTokens } from '../web-tokens/index.ts'
import { exchangeStoreToken } from './exchange-store-token.ts'
import { exchangeUserToken } from './exchange-user-token.ts'
import { generateWebviewSignedUserToken } from './generate-webview-signed-user-token.ts'
import { generateWebviewToken } from './generate-webview-token.ts'
import { hashWithApiKey } from './hash-with-api-key.ts'
import { WebviewTokenStore } from './webview-token-store.ts'
import { WebviewTokens } from './webview-tokens.ts'

/** Collaborators of the web views. */
export interface WebviewDeps {
  readonly db: Database
  readonly config: Config
  readonly users: UserStore
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
  now,
  ...deps
}: WebviewDeps): Feature & { readonly webviewTokens: WebviewTokens } {
  const webviewTokens = new WebviewTokens({ store: new WebviewTokenStore(db), users, now })
  const endpointDeps = { ...deps, webviewTokens }
  return {
    name: 'webview',
    webviewTokens,
    endpoints: [
      generateWebviewToken(endpointDeps),
      generateWebviewSignedUserToken(endpointDeps),
      hashWithApiKey(endpointDeps),
      exchangeUserToken(endpointDeps),
      exchangeStoreToken(endpointDeps),
    ],
  }
}
