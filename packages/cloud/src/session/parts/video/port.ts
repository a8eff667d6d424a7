import type { OutputStatus } from '@glasses-cloud/contract'

/** The result of a request to the streaming provider. */
export type StreamingResult<Value = undefined> =
  | { readonly ok: true; readonly value: Value }
  | {
      readonly ok: false
      /** For logs. Never contains a stream key. */
      readonly message: string
      /** What is wrong with the URL of the output, as a sentence for the app; absent if the provider failed. */
      readonly urlProblem?: string
    }

/** Playback URLs. HLS and DASH are always present: apps on the SDK wait for both. */
export interface Playback {
  readonly hlsUrl: string
  readonly dashUrl: string
  readonly webrtcUrl?: string
  /** A page with a player. */
  readonly previewUrl?: string
  readonly thumbnailUrl?: string
}

/** An input at the provider, to which glasses stream. */
export interface LiveInput {
  readonly inputId: string
  /** Contains the stream key: never logged, never sent to apps. */
  readonly ingestUrl: string
  readonly playback: Playback
}

/** The provider's report on an output. */
export interface OutputReport {
  readonly outputId: string
  readonly status: OutputStatus
  readonly error: string | null
  /** Attempts to connect again since the output was last active. */
  readonly retries?: number
}

/** Places that were reserved for outputs of an app, or why not. The code is in the error catalogue. */
export type OutputReservation =
  | {
      readonly ok: true
      /** Release one place each; further calls do nothing. */
      readonly releases: readonly (() => void)[]
    }
  | { readonly ok: false; readonly code: 'MAX_APP_OUTPUTS_REACHED' | 'INTERNAL_ERROR' }

/**
 * The port to the streaming provider. Calls return immediately. `done` is always called, asynchronously and within a
 * time limit, also after the end of the session, so that the session can delete what it created.
 */
export interface SessionStreaming {
  /** A message for every status of a managed stream, such as that the provider only simulates streams. */
  readonly notice: string | undefined
  createInput(done: (result: StreamingResult<LiveInput>) => void): void
  /** Deletes an input with all its outputs. Retries; a final failure is logged. */
  deleteInput(inputId: string): void
  /** Checks whether the stream is playable. */
  isReady(inputId: string, done: (result: StreamingResult<boolean>) => void): void
  /** Adds an output; the result is its id at the provider. */
  addOutput(inputId: string, url: string, done: (result: StreamingResult<string>) => void): void
  removeOutput(inputId: string, outputId: string, done: (result: StreamingResult) => void): void
  listOutputs(inputId: string, done: (result: StreamingResult<readonly OutputReport[]>) => void): void
  /** Calls `changed` when the status of an output may have changed, until the returned function is called. */
  watchOutputs(inputId: string, changed: () => void): () => void
  /** Registers the stream, so that REST requests find its session. */
  streamOpened(streamId: string): void
  streamClosed(streamId: string): void
  /**
   * Reserves some of the outputs that an app may have across all streams of all users: all of them or none. Calls `done`
   * during the call where the limit is known without I/O.
   */
  reserveOutputs(packageName: string, count: number, done: (reservation: OutputReservation) => void): void
}
