import type { ProcessLoad } from './messages.ts'

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
