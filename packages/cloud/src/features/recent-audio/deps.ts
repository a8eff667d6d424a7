import type { Authenticator } from '../../identity/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'

/** Collaborators of the endpoints of this feature. */
export interface RecentAudioEndpointDeps {
  readonly authenticator: Authenticator
  readonly sessions: SessionDirectory
}
