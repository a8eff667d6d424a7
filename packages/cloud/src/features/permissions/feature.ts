import type { Feature } from '../../feature.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { AppStore, Catalogue } from '../catalogue/index.ts'
import type { Publishing } from '../developer/index.ts'
import { AppPermissions } from './app-permissions.ts'
import { getPermissions } from './get-permissions.ts'
import { patchPermissions } from './patch-permissions.ts'

/** Collaborators of the permissions. */
export interface PermissionsDeps {
  readonly apps: AppStore
  readonly catalogue: Catalogue
  readonly sessions: SessionDirectory
  readonly publishing: Publishing
  /** Epoch ms. */
  readonly now: () => number
}

/** The permissions that apps declare, under `/api/permissions`. */
export function createPermissions(deps: PermissionsDeps): Feature {
  const endpointDeps = { permissions: new AppPermissions(deps), catalogue: deps.catalogue }
  return {
    name: 'permissions',
    endpoints: [getPermissions(endpointDeps), patchPermissions(endpointDeps)],
  }
}
