import type { Feature } from '../../feature.ts'
import type { SdkEndpointDeps } from './deps.ts'
import { getPublicPermissions } from './get-public-permissions.ts'
import { getSdkVersion } from './get-sdk-version.ts'

/** Endpoints that the app SDK requires of a cloud (app-socket.md §3.1). */
export function createSdk(deps: SdkEndpointDeps): Feature {
  return { name: 'sdk', endpoints: [getSdkVersion(deps), getPublicPermissions(deps)] }
}
