import { type AudioFormat, toAudioConfiguration } from '@glasses-cloud/contract'
import type { PhoneApi } from '../phone-api.ts'
import type { Lc3Encoder } from './lc3.ts'

const LC3_FRAME_MS = 10

/** Encodes microphone audio, and configures its format at the cloud (MIC-30). */
export class AudioUplink {
  readonly #api: PhoneApi
  #format: AudioFormat | undefined
  #encoder: Lc3Encoder | undefined
  #pending: Promise<void> = Promise.resolve()
  #unanswered = 0

  /** @param format if undefined, the uplink sends PCM and no configuration, as older phones and headless clients do */
  constructor(api: PhoneApi, format: AudioFormat | undefined) {
    this.#api = api
    this.#format = format
  }

  /** Whether the cloud has answered every configuration: until then it would take frames for another format. */
  get isIdle(): boolean {
    return this.#unanswered === 0
  }

  /** Resolves when the cloud has answered the last configuration, successfully or not. */
  get idle(): Promise<void> {
    return this.#pending.catch(() => {})
  }

  /** Changes the format and configures it at the cloud. Like a phone, uses the new format even if the cloud rejects it. */
  configure(format: AudioFormat): Promise<void> {
    this.#format = format
    return this.sendConfiguration()
  }

  /** Sends the configuration, which applies to the current connection only (MIC-34). */
  sendConfiguration(): Promise<void> {
    const format = this.#format
    // One after the other, so that the last configuration is the one in effect.
    if (format) {
      this.#unanswered += 1
      this.#pending = this.idle
        .then(() => this.#apply(format))
        .finally(() => {
          this.#unanswered -= 1
        })
    }
    return this.#pending
  }

  encode(pcm: Uint8Array): Uint8Array {
    return this.#encoder ? this.#encoder.encode(pcm) : pcm
  }

  /** @throws {Error} if frames of this length cannot be encoded in the configured format */
  validateFrameMs(frameMs = LC3_FRAME_MS): void {
    if (this.#format?.format === 'lc3' && frameMs % LC3_FRAME_MS !== 0) {
      throw new Error(`frameMs must be a multiple of ${LC3_FRAME_MS} for LC3 (got ${frameMs})`)
    }
  }

  async #apply(format: AudioFormat): Promise<void> {
    // Imported on demand: the codec is large, and most clients send PCM.
    const { Lc3Encoder } = format.format === 'lc3' ? await import('./lc3.ts') : {}
    this.#encoder = Lc3Encoder && format.format === 'lc3' ? new Lc3Encoder(format.frameSizeBytes) : undefined
    await this.#api.request('POST', '/api/client/audio/configure', toAudioConfiguration(format))
  }
}
