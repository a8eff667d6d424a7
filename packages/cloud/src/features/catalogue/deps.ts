import type { About } from '../../config/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { AppLists } from './app-lists.ts'
import type { Catalogue } from './catalogue.ts'

/** Collaborators of the endpoints of this feature. */
export interface CatalogueEndpointDeps {
  readonly about: About
  readonly catalogue: Catalogue
  readonly lists: AppLists
  readonly sessions: SessionDirectory
}
