import type { Speaker } from './speaker.ts'

/** Collaborators of the endpoints of this feature. */
export interface TtsEndpointDeps {
  /** Undefined while no provider is configured. */
  readonly speaker: Speaker | undefined
}
