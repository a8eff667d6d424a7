import type { SpeechSynthesizer } from './speech-synthesizer.ts'

/** Collaborators of the endpoints of this feature. */
export interface TtsEndpointDeps {
  /** Undefined while no provider is configured. */
  readonly synthesizer: SpeechSynthesizer | undefined
}
