import type { AppMessageHub } from './hub.ts'

/** Collaborators of the endpoints of this feature. */
export interface AppMessageEndpointDeps {
  readonly appMessages: AppMessageHub
}
