import type { Config } from '../../config/index.ts'
import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import type { ApiKeyStore } from '../../identity/index.ts'
import type { Catalogue } from '../catalogue/index.ts'
import { webTokenEndpoints } from './endpoints.ts'
import { SigningKeyStore } from './signing-key-store.ts'
import { WebTokens } from './web-tokens.ts'

export { findWebApp, requireConfirmed } from './endpoints.ts'
export { SigningKeys } from './signing-key.ts'
export { SigningKeyStore } from './signing-key-store.ts'
export type { WebTokens } from './web-tokens.ts'

export interface WebTokensDeps {
  readonly db: Database
  readonly config: Pick<Config, 'auth'>
  readonly apiKeyStore: ApiKeyStore
  readonly catalogue: Catalogue
  /** The accepted values of `AUTH_SECRET`, the current one first. */
  readonly secrets: readonly string[]
  /** Base URL of the cloud for clients. */
  readonly publicUrl: () => URL
  /** Epoch ms. */
  readonly now: () => number
}

/** Sign-in to the web pages of apps (decision I6). */
export function createWebTokens(deps: WebTokensDeps): Feature & { readonly webTokens: WebTokens } {
  const { db, config, apiKeyStore, catalogue, secrets, publicUrl, now } = deps
  const webTokens = new WebTokens({
    keys: new SigningKeyStore(db),
    apiKeys: apiKeyStore,
    secrets,
    issuer: () => config.auth.oauthIssuer ?? publicUrl().href.replace(/\/$/, ''),
    now,
  })
  return {
    name: 'web-tokens',
    webTokens,
    endpoints: webTokenEndpoints({ webTokens, catalogue }),
  }
}
