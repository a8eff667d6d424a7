import type { SpeechSegment } from '../../session/index.ts'

/** Audio of a stream that its process has not taken yet, above which the stream fails: about a minute. */
export const MAX_WAITING_BYTES = 2 * 1024 * 1024

/** What the cloud sends to a recognizer process once it is started. */
export type ToRecognizer =
  /** `language`: a code without region; undefined to detect it. */
  | { readonly type: 'open'; readonly stream: number; readonly language: string | undefined }
  /** PCM: 16 kHz, 16 bit, mono, little-endian. */
  | { readonly type: 'audio'; readonly stream: number; readonly pcm: Uint8Array }
  | { readonly type: 'finalize'; readonly stream: number }
  | { readonly type: 'close'; readonly stream: number }

/** How fast a process works. */
export interface ProcessLoad {
  /** Seconds of work for a second of audio. */
  readonly realTimeFactor: number
  /** Streams that it can process in time. */
  readonly capacity: number
  readonly residentBytes: number
}

/** What a recognizer process sends. */
export type FromRecognizer =
  | ({ readonly type: 'loaded' } & ProcessLoad)
  | ({ readonly type: 'load' } & ProcessLoad)
  | {
      readonly type: 'segment'
      readonly stream: number
      readonly segment: SpeechSegment
      /** Of a final segment, if there is a model that tells speakers apart. */
      readonly voice: Float32Array | undefined
    }
  | { readonly type: 'finalized'; readonly stream: number }
  /** Audio that the process has taken from the queue of a stream. */
  | { readonly type: 'consumed'; readonly stream: number; readonly bytes: number }
