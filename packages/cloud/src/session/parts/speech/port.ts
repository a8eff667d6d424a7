/** What a stream recognizes. Its audio is PCM: 16 kHz, 16 bit, mono, little-endian. */
export interface SpeechOptions {
  /** A language tag such as `en-US`, or `auto` to detect the language. */
  readonly language: string
  /** Languages that are likely to be spoken. */
  readonly hints: readonly string[]
  /** Whether the provider may report segments in other languages than `language`. */
  readonly identifiesLanguage: boolean
  /** Identifies the session, in all of whose streams a speaker has the same label. */
  readonly session?: string
  /** Language to translate to, in the same stream; only for providers that translate. */
  readonly translateTo?: string
}

/**
 * A part of what was said. An interim segment replaces the previous one of its utterance and contains the utterance so
 * far; a final one contains the whole utterance and ends it.
 */
export interface SpeechSegment {
  /** Unique within the stream. */
  readonly utteranceId: string
  /** Empty if the segment only contains a translation. */
  readonly text: string
  readonly isFinal: boolean
  /** Position in the audio of the stream, in milliseconds. */
  readonly startMs: number
  /** Position up to which the audio is covered by this segment, in milliseconds. */
  readonly endMs: number
  /** 0 to 1. */
  readonly confidence?: number
  readonly speakerId?: string
  /** Detected language, with or without a region. */
  readonly language?: string
  /** The segment in the language `translateTo`. */
  readonly translation?: string
}

/**
 * Why a stream failed.
 * - `retryable`: the provider is unreachable, overloaded or broken.
 * - `expired`: the provider ended a session of maximum length; it can be reopened immediately.
 * - `authentication`: the provider rejects the key.
 * - `quota`: the account has reached a limit.
 * - `unsupported_language`: the provider does not support the language.
 * - `busy`: the provider recognizes as many streams as it can.
 */
export type SpeechFailureKind =
  | 'retryable'
  | 'expired'
  | 'authentication'
  | 'quota'
  | 'unsupported_language'
  | 'busy'

export interface SpeechFailure {
  readonly kind: SpeechFailureKind
  /** For logs and status messages; never contains recognized text or a key. */
  readonly message: string
}

/** Receives the events of a stream. No method is called synchronously, nor after `close` or `failed`. */
export interface SpeechListener {
  /** The stream accepts audio. */
  ready(): void
  segment(segment: SpeechSegment): void
  /** All audio pushed before the corresponding `finalize` is recognized, and its final segments were reported. */
  finalized(): void
  /** The stream failed and is closed. */
  failed(failure: SpeechFailure): void
}

/** An open stream to a provider. Audio is pushed only after `ready`. */
export interface SpeechStream {
  push(pcm: Uint8Array): void
  /** Requests final segments for all audio pushed so far; answered by `finalized`. More audio may follow. */
  finalize(): void
  /** Releases the connection; outstanding segments are dropped. Idempotent. */
  close(): void
}

/** A speech-to-text provider. Every adapter passes `speechToTextSuite`. */
export interface SpeechProvider {
  readonly name: string
  /** Whether one stream can also translate. */
  readonly translates: boolean
  /** Limit for `finalized` after `finalize`, in milliseconds. */
  readonly finalizeTimeoutMs: number
  /** Milliseconds until the key of a provider that rejected it is tried again; 0 if it may be tried. */
  readonly rejectedForMs: number
  /** False while it recognizes no language at all: a local recognizer without a model. Default: true. */
  readonly isInstalled?: boolean
  /** Whether the provider may support the language; `auto` asks for detection. */
  supports(language: string): boolean
  open(options: SpeechOptions, listener: SpeechListener): SpeechStream
}

/** Receives the events of a wake word stream. No method is called synchronously, nor after `close` or `failed`. */
export interface WakeWordListener {
  /** The stream accepts audio. @param unspelled phrases that the model cannot detect */
  ready(unspelled: readonly string[]): void
  /** A phrase was said. */
  detected(phrase: string): void
  /** The stream failed and is closed. */
  failed(failure: SpeechFailure): void
}

/** An open stream that detects phrases. Audio, as in a `SpeechStream`, is pushed only after `ready`. */
export interface WakeWordStream {
  push(pcm: Uint8Array): void
  /** Speech has paused: no phrase continues after it. */
  pause(): void
  /** Idempotent. */
  close(): void
}

/** Detects phrases in audio, with models of its own. */
export interface WakeWordSpotter {
  /** Whether an installed model detects phrases of a language. @param language a language tag */
  supports(language: string): boolean
  open(
    options: { readonly language: string; readonly phrases: readonly string[] },
    listener: WakeWordListener,
  ): WakeWordStream
}

/** A translation, or why there is none. */
export type TranslationResult =
  | { readonly ok: true; readonly text: string; readonly detectedLanguage?: string }
  | { readonly ok: false; readonly failure: SpeechFailure }

/** A text to translate; without a source language it is detected. */
export interface TranslationRequest {
  readonly text: string
  readonly source?: string
  readonly target: string
}

/** The speech providers as the sessions of one user use them. */
export interface SessionSpeech {
  /** In order of preference. */
  readonly providers: readonly SpeechProvider[]
  readonly maxStreamsPerUser: number
  /** Reserves one of the streams of the process; undefined if all are in use. The result releases it. */
  reserveStream(): (() => void) | undefined
  /** Detects wake words without a transcription. */
  readonly wakeWords?: WakeWordSpotter
  /** Calls the listener when a provider or a model for wake words was installed or removed. @returns stops that */
  onInstalled?(listener: () => void): () => void
  /** Translates a text; undefined if no translation provider is configured. */
  readonly translate?: (request: TranslationRequest, done: (result: TranslationResult) => void) => void
  /** Records the time from the arrival of audio to its text. */
  recordDelay(provider: string, ms: number): void
  recordFailover(from: string): void
}
