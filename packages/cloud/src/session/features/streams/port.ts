import type { OutputStatus } from '@glasses-cloud/contract'

/** What came of a call to the streaming provider. The message is for logs and may name what failed, never a key. */
export type StreamingResult<Value = undefined> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly message: string }

/** Where people watch a stream. HLS and DASH always have an address: apps on the SDK wait for both. */
export interface Playback {
  readonly hlsUrl: string
  readonly dashUrl: string
  readonly webrtcUrl?: string
  /** A page with a player. */
  readonly previewUrl?: string
  readonly thumbnailUrl?: string
}

/** A place of the provider's that glasses stream to. */
export interface LiveInput {
  readonly inputId: string
  /** Where the glasses stream to. Holds the key to it: never logged, never shown to apps. */
  readonly ingestUrl: string
  readonly playback: Playback
}

/** What the provider says of an output. */
export interface OutputReport {
  readonly outputId: string
  readonly status: OutputStatus
  readonly error: string | null
}

/**
 * The streaming provider as a session sees it, and the little that sessions share about streams. Calls return at
 * once; outcomes come through `done`, never synchronously, and always, within a time. An outcome that comes after
 * the session's end still reaches it, so that nothing stays behind at the provider.
 */
export interface SessionStreaming {
  /** What everybody who gets an answer should know of the provider, if anything: that nothing is streamed. */
  readonly notice: string | undefined
  createInput(done: (result: StreamingResult<LiveInput>) => void): void
  /** Deletes an input with all its outputs. Tries again by itself; what cannot be deleted is logged. */
  deleteInput(inputId: string): void
  /** Whether the stream can be watched by now. */
  isReady(inputId: string, done: (result: StreamingResult<boolean>) => void): void
  /** Sends the stream on to a further address. */
  addOutput(inputId: string, url: string, done: (result: StreamingResult<string>) => void): void
  removeOutput(inputId: string, outputId: string, done: (result: StreamingResult) => void): void
  listOutputs(inputId: string, done: (result: StreamingResult<readonly OutputReport[]>) => void): void
  /** From now on the stream is found by its id. */
  streamOpened(streamId: string): void
  /** The stream is over. */
  streamClosed(streamId: string): void
  /**
   * Takes one of the outputs an app may have across all streams of all users.
   * @returns what gives it back, once; undefined if the app has all of its outputs
   */
  reserveOutput(packageName: string): (() => void) | undefined
}
