import type { Catalogue } from '../catalogue/index.ts'
import type { Tools } from './tools.ts'

/** Collaborators of the endpoints of this feature. */
export interface ToolEndpointDeps {
  readonly catalogue: Catalogue
  readonly tools: Tools
}
