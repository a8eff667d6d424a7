import type { Config } from '../../config/index.ts'
import type { Tokens } from '../../identity/index.ts'
import type { Catalogue } from '../catalogue/index.ts'
import type { WebTokens } from '../web-tokens/index.ts'
import type { WebviewTokens } from './webview-tokens.ts'

/** Collaborators of the endpoints of this feature. */
export interface WebviewEndpointDeps {
  readonly catalogue: Catalogue
  readonly config: Config
  /** Base URL of the cloud for clients. */
  readonly publicUrl: () => URL
  readonly tokens: Tokens
  readonly webTokens: WebTokens
  readonly webviewTokens: WebviewTokens
}
