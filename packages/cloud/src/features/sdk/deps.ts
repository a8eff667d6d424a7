import type { Catalogue } from '../catalogue/index.ts'

/** Collaborators of the endpoints of this feature. */
export interface SdkEndpointDeps {
  readonly catalogue: Catalogue
  /** Epoch ms. */
  readonly now: () => number
}
