import { discoverUsers } from './discover-users.ts'

export { AppMessageHub } from './hub.ts'

/** Endpoints under `/api/app-communication`. */
export const appMessageEndpoints = [discoverUsers]
