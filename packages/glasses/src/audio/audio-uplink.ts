import { type AudioFormat, configurationOf } from '@glasses-cloud/contract'
import type { Phone } from '../phone.ts'
import type { Lc3Encoder } from './lc3.ts'

/** An LC3 frame, in milliseconds. */
const LC3_FRAME_MS = 10

/** The form in which the phone sends sound, and what the cloud knows of it. */
export class AudioUplink {
  readonly #phone: Phone
  #format: AudioFormat | undefined
  #encoder: Lc3Encoder | undefined
  #pending: Promise<void> = Promise.resolve()

  /** @param format absent: PCM, and the cloud is told nothing, as older phones and headless clients do */
  constructor(phone: Phone, format: AudioFormat | undefined) {
    this.#phone = phone
    this.#format = format
  }

  /** Resolves when the cloud has answered what it was told last, whatever the answer. */
  get idle(): Promise<void> {
    return this.#pending.catch(() => {})
  }

  /** Changes the format and tells the cloud. Like a phone it sends the new one though the cloud refuse it. */
  configure(format: AudioFormat): Promise<void> {
    this.#format = format
    return this.sendFormat()
  }

  /** Tells the cloud of the format, which counts for one connection. */
  sendFormat(): Promise<void> {
    const format = this.#format
    // One after the other, so that what is said last is what holds.
    if (format) this.#pending = this.idle.then(() => this.#sendFormat(format))
    return this.#pending
  }

  /** A piece of sound as it is sent. */
  encode(pcm: Buffer): Buffer {
    return this.#encoder ? this.#encoder.encode(pcm) : pcm
  }

  /** Throws if pieces of this length cannot be sent in the format. */
  validateFrameMs(frameMs = LC3_FRAME_MS): void {
    if (this.#format?.format === 'lc3' && frameMs % LC3_FRAME_MS !== 0) {
      throw new Error(`A frame of LC3 lasts ${LC3_FRAME_MS} ms: frameMs must be a multiple of it`)
    }
  }

  async #sendFormat(format: AudioFormat): Promise<void> {
    // Loaded only by those who need it: it is large.
    const { Lc3Encoder } = format.format === 'lc3' ? await import('./lc3.ts') : {}
    this.#encoder = Lc3Encoder && format.format === 'lc3' ? new Lc3Encoder(format.frameSizeBytes) : undefined
    await this.#phone.request('POST', '/api/client/audio/configure', configurationOf(format))
  }
}
