import type { ReachableUser } from './hub.ts'

/** Collaborators of the endpoints of this feature. */
export interface AppMessageEndpointDeps {
  readonly appMessages: {
    /** Returns the users who are running an app, longest-running first. */
    usersOf(packageName: string): ReachableUser[] | Promise<ReachableUser[]>
  }
}
