import type { Config } from '../../config/index.ts'
import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import type { LoginStore, Tokens, UserStore } from '../../identity/index.ts'
import type { Catalogue } from '../catalogue/index.ts'
import type { WebTokens } from '../web-tokens/index.ts'
import { webviewEndpoints } from './endpoints.ts'
import { WebviewTokenStore } from './webview-token-store.ts'
import { WebviewTokens } from './webview-tokens.ts'

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
