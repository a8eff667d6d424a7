import type { Catalogue } from '../catalogue/index.ts'
import type { WebTokens } from './web-tokens.ts'

/** Collaborators of the endpoints of this feature. */
export interface OAuthEndpointDeps {
  readonly catalogue: Catalogue
  readonly webTokens: WebTokens
}
