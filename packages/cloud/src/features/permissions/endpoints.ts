import { getPermissions } from './get-permissions.ts'
import { patchPermissions } from './patch-permissions.ts'

/** Endpoints under `/api/permissions`. */
export const permissionsEndpoints = [getPermissions, patchPermissions]
