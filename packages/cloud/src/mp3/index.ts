import { createMp3Encoder } from 'wasm-media-encoders'

/** Speech as samples of one channel. */
export interface Samples {
  /** From -1 to 1. */
  readonly samples: Float32Array
  readonly sampleRate: number
}

export interface EncodedFormat {
  /** A sample rate of MP3; the speech is resampled if it has another one. */
  readonly sampleRate: number
  readonly kilobitsPerSecond: number
}

/** Encodes a passage as MP3 that is complete in itself: passages can be sent one after the other. */
export type EncodeSpeech = (speech: Samples, format: EncodedFormat) => Uint8Array<ArrayBuffer>

/** Loads the encoder. */
export async function createSpeechEncoder(): Promise<EncodeSpeech> {
  const encoder = await createMp3Encoder()
  return ({ samples, sampleRate }, format) => {
    encoder.configure({
      sampleRate,
      channels: 1,
      bitrate: format.kilobitsPerSecond as Parameters<typeof encoder.configure>[0]['bitrate'],
      outputSampleRate: format.sampleRate as Parameters<typeof encoder.configure>[0]['outputSampleRate'],
    })
    // The encoder returns its own memory.
    const start = encoder.encode([samples]).slice()
    const end = encoder.finalize()
    const mp3 = new Uint8Array(start.length + end.length)
    mp3.set(start)
    mp3.set(end, start.length)
    return mp3
  }
}
