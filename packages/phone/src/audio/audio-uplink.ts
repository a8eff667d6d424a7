import { type AudioFormat, toAudioConfiguration } from '@glasses-cloud/contract'
import type { PhoneApi } from '../phone-api.ts'

/** Configures the format of microphone audio at the cloud (MIC-30). */
export class AudioUplink {
  readonly #api: PhoneApi
  #format: AudioFormat | undefined
  #pending: Promise<void> = Promise.resolve()
  #unanswered = 0
  /** Called with each format before it is configured, by a microphone that encodes its audio itself. */
  prepare: ((format: AudioFormat) => Promise<void>) | undefined

  /** @param format if undefined, the uplink sends PCM and no configuration, as older phones and headless clients do */
  constructor(api: PhoneApi, format: AudioFormat | undefined) {
    this.#api = api
    this.#format = format
  }

  /** The format that was chosen last. */
  get format(): AudioFormat | undefined {
    return this.#format
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

  async #apply(format: AudioFormat): Promise<void> {
    await this.prepare?.(format)
    await this.#api.request('POST', '/api/client/audio/configure', toAudioConfiguration(format))
  }
}
