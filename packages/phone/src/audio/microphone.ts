import type { AudioFormat, Message } from '@glasses-cloud/contract'
import type { PhoneApi } from '../phone-api.ts'
import { AudioUplink } from './audio-uplink.ts'

export interface MicrophoneDeps {
  readonly api: PhoneApi
  readonly isConnected: () => boolean
  /** @throws {Error} if the connection is not open */
  readonly sendBinary: (frame: Uint8Array) => Promise<void>
  readonly onChange: (state: { readonly on: boolean; readonly requiredData: readonly string[] }) => void
}

/** The data that the cloud may require. */
export type MicrophoneData = 'pcm' | 'transcription'

/** Which data of the microphone the cloud requires (decision W7), and the way of the audio to it. */
export class Microphone {
  readonly uplink: AudioUplink
  readonly #deps: MicrophoneDeps
  #requiredData: readonly string[] = []

  constructor(format: AudioFormat | undefined, deps: MicrophoneDeps) {
    this.#deps = deps
    this.uplink = new AudioUplink(deps.api, format)
  }

  /** The `requiredData` of the last `microphone_state_change`; empty if the microphone is off. */
  get requiredData(): readonly string[] {
    return this.#requiredData
  }

  get isOn(): boolean {
    return this.#requiredData.length > 0
  }

  /** Whether the cloud requires this data. For `pcm_or_transcription` phones send both. */
  sends(data: MicrophoneData): boolean {
    return this.#requiredData.includes(data) || this.#requiredData.includes('pcm_or_transcription')
  }

  /** Applies a `microphone_state_change`. Like phones, reads only `requiredData`, not `isMicrophoneEnabled`. */
  handle(message: Message): void {
    this.#set(Array.isArray(message.requiredData) ? message.requiredData : [])
  }

  /** Turns the microphone off when the connection closes: the cloud sends its state on every connection. */
  reset(): void {
    if (this.isOn) this.#set([])
  }

  /**
   * Sends frames that are in the configured format already. They are dropped while the cloud does not require audio, and until
   * it has answered the configuration: it would take them for another format.
   */
  async sendFrames(frames: Uint8Array): Promise<void> {
    if (this.#deps.isConnected() && this.sends('pcm') && this.uplink.isIdle)
      await this.#deps.sendBinary(frames)
  }

  #set(requiredData: readonly string[]): void {
    this.#requiredData = requiredData
    this.#deps.onChange({ on: this.isOn, requiredData })
  }
}
