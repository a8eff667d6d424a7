import type { VoiceSettings } from '@glasses-cloud/contract'

/** A text with its voice, model and settings. */
export interface SpeechRequest {
  readonly text: string
  /** A voice of the provider. */
  readonly voice: string
  /** A model of the provider; undefined if the provider has only one. */
  readonly model: string | undefined
  /** Settings that the provider does not support are ignored. */
  readonly settings: VoiceSettings
}

/** The voice that a name stands for at one moment. */
export interface FoundVoice {
  /** Part of the cache key: voices with the same key speak the same. */
  readonly key: string
  /** Synthesizes with this voice, whatever the name stands for by then. Errors are those of `TextToSpeech`. */
  synthesize(request: SpeechRequest, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>
}

/** Converts text to speech. Every adapter passes `textToSpeechSuite`. */
export interface TextToSpeech {
  /** Part of the cache key: providers with the same name must generate the same speech. */
  readonly name: string
  /** Default voice; undefined if requests must name one. */
  readonly voice: string | undefined
  /** Default model. */
  readonly model: string | undefined
  /**
   * Synthesizes a text as MP3. The audio is streamed while it is generated, with backpressure. Aborting releases all
   * resources, even if the audio is not read.
   * @throws SpeechProviderError on the call or while the audio is read; audio that ends without an error is complete
   * @throws UnsupportedSpeechError on the call, if the provider does not support the voice or the text
   */
  synthesize(request: SpeechRequest, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>
  /**
   * Finds the voice of a name. Absent if a name always stands for the same voice.
   * @throws UnsupportedSpeechError
   */
  findVoice?(name: string): FoundVoice
  /** Returns the problem of the provider and how to solve it; undefined if it works. */
  problem(): Promise<string | undefined>
}

/** The provider failed before or during the audio. The message never contains the text. */
export class SpeechProviderError extends Error {
  /** HTTP status of the response; undefined if there was none. */
  readonly status: number | undefined
  /** Whether the provider did not receive the text, or rejected it, and so does not charge it. */
  readonly isFree: boolean

  constructor(
    message: string,
    options: { readonly status?: number; readonly isFree?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'SpeechProviderError'
    this.status = options.status
    this.isFree = options.isFree ?? false
  }
}

/** The provider does not support a voice or a text. The message is for the client and never contains the text. */
export class UnsupportedSpeechError extends Error {}
