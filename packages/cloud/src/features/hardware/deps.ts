import type { SessionDirectory } from '../../session-host/index.ts'

/** Collaborators of the endpoints of this feature. */
export interface HardwareEndpointDeps {
  readonly sessions: SessionDirectory
}
