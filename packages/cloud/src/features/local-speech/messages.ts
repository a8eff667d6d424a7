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

/** What the cloud sends to a keyword spotter process once it is started. */
export type ToSpotter =
  | { readonly type: 'open'; readonly stream: number; readonly phrases: readonly string[] }
  /** PCM: 16 kHz, 16 bit, mono, little-endian. */
  | { readonly type: 'audio'; readonly stream: number; readonly pcm: Uint8Array }
  | { readonly type: 'pause'; readonly stream: number }
  | { readonly type: 'close'; readonly stream: number }

/** What a keyword spotter process sends. */
export type FromSpotter =
  | ({ readonly type: 'loaded' } & ProcessLoad)
  | ({ readonly type: 'load' } & ProcessLoad)
  /** `unspelled`: the phrases that cannot be spelled with the tokens of the model. */
  | { readonly type: 'opened'; readonly stream: number; readonly unspelled: readonly string[] }
  | { readonly type: 'detected'; readonly stream: number; readonly phrase: string }
  /** Audio that the process has taken from the queue of a stream. */
  | { readonly type: 'consumed'; readonly stream: number; readonly bytes: number }

/** A part of a text, for a voice. */
export interface VoicePassage {
  readonly text: string
  /** Number of the speaker, from 0. */
  readonly speaker: number
  /** 1 is the normal speed of the voice. */
  readonly speed: number
  /** Language of a voice that speaks several; undefined: its first one. */
  readonly language: string | undefined
}

/** What the cloud sends to a voice process once its model is loaded: one passage at a time. */
export type ToVoice = { readonly type: 'speak'; readonly passage: VoicePassage }

/** What a voice process sends. */
export type FromVoice =
  | { readonly type: 'loaded'; readonly speakers: number }
  /** The answer to `speak`: MP3 that is complete in itself. */
  | { readonly type: 'spoken'; readonly mp3: Uint8Array }
