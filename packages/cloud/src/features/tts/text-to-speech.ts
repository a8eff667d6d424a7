import type { VoiceSettings } from '@glasses-cloud/contract'

/** What is to be spoken, and how. */
export interface SpeechRequest {
  readonly text: string
  /** A voice of the provider. */
  readonly voice: string
  /** A model of the provider; absent where it has none to choose from. */
  readonly model: string | undefined
  /** What the provider cannot do of these it leaves out. */
  readonly settings: VoiceSettings
}

/** Turns text into speech. One suite proves every adapter. */
export interface TextToSpeech {
  /** Tells its speech from that of others in the cache: two of the same name speak alike. */
  readonly name: string
  /** What speaks where a request names no voice; absent if it must name one. */
  readonly voice: string | undefined
  /** What is used where a request names no model. */
  readonly model: string | undefined
  /**
   * Speaks. The sound is MP3, given as it is made and no faster than it is taken. Aborting frees everything that
   * works for it, whether or not anybody still reads.
   * @throws SpeechProviderError here or while the sound is read; sound that ends without one is complete
   */
  synthesize(request: SpeechRequest, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>
  /** What keeps it from speaking, in a sentence that says what to do; nothing if all is well. */
  problem(): Promise<string | undefined>
}

/** The provider did not speak, or broke off. The message never holds the text. */
export class SpeechProviderError extends Error {
  /** HTTP status it answered with; absent if it did not answer. */
  readonly status: number | undefined

  constructor(message: string, options: { readonly status?: number; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'SpeechProviderError'
    this.status = options.status
  }
}
