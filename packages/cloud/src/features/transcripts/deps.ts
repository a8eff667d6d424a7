import type { SessionDirectory } from '../../session-host/index.ts'

/** Collaborators of the endpoints of this feature. */
export interface TranscriptEndpointDeps {
  /** Epoch ms. */
  readonly now: () => number
  readonly sessions: SessionDirectory
}
