import type { SessionDirectory } from '../../session-host/index.ts'
import type { LiveStreams } from './live-streams.ts'

/** Collaborators of the endpoints of this feature. */
export interface StreamEndpointDeps {
  readonly sessions: SessionDirectory
  readonly streams: LiveStreams
}
