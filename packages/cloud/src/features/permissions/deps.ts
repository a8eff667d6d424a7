import type { Catalogue } from '../catalogue/index.ts'
import type { AppPermissions } from './app-permissions.ts'

/** Collaborators of the endpoints of this feature. */
export interface PermissionsEndpointDeps {
  readonly catalogue: Catalogue
  readonly permissions: AppPermissions
}
