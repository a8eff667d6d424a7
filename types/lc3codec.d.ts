/** The part of the codec that is used here; the package brings no types of its own. */
declare module 'lc3codec' {
  /** How long a frame lasts. */
  class LC3FrameDuration {
    private constructor()
    static readonly NMS_10000US: LC3FrameDuration
  }
  class LC3SampleRate {
    private constructor()
    static readonly FS_16000: LC3SampleRate
  }
  /** Whether a frame was found to be damaged; once marked it stays so until it is cleared. */
  class LC3BEC {
    isMarked(): boolean
    clear(): void
  }
  class LC3Decoder {
    constructor(duration: LC3FrameDuration, rate: LC3SampleRate)
    /** Decodes a frame; one that is damaged marks `errors` and becomes something like the frames before it. */
    decode(frame: Uint8Array, errors: LC3BEC, samples: Int16Array): Int16Array
  }
  class LC3Encoder {
    constructor(duration: LC3FrameDuration, rate: LC3SampleRate)
    /** @param into at least as long as the frame is to be */
    encode(samples: Int16Array, bytes: number, into: Uint8Array): Uint8Array
  }
  export const Core: {
    readonly LC3FrameDuration: typeof LC3FrameDuration
    readonly LC3SampleRate: typeof LC3SampleRate
  }
  export const Decoder: { readonly LC3Decoder: typeof LC3Decoder; readonly LC3BEC: typeof LC3BEC }
  export const Encoder: { readonly LC3Encoder: typeof LC3Encoder }
}
