import { getPublicPermissions } from './get-public-permissions.ts'
import { getSdkVersion } from './get-sdk-version.ts'

/** What the app SDK asks of anybody's cloud (app socket protocol, 3.1). */
export const sdkEndpoints = [getSdkVersion, getPublicPermissions]
