import type { AudioFormat, Message } from '@glasses-cloud/contract'
import { type Clock, delay } from '../clock.ts'
import type { Phone } from '../phone.ts'
import { AudioUplink } from './audio-uplink.ts'
import { localTranscription, recognitionResults, type SpeechOptions } from './local-transcription.ts'
import { type AudioSent, type SendAudioOptions, sendAudio } from './send-audio.ts'
import { VoiceActivity } from './voice-activity.ts'

export interface MicrophoneDeps {
  readonly clock: Clock
  readonly phone: Phone
  readonly isConnected: () => boolean
  /** @throws {Error} if the connection is not open */
  readonly send: (message: Message) => void
  /** @throws {Error} if the connection is not open */
  readonly sendBinary: (frame: Uint8Array) => Promise<void>
  readonly onChange: (state: { readonly on: boolean; readonly requiredData: readonly string[] }) => void
}

/** The data that a wait expects the cloud to require. */
export type MicrophoneData = 'pcm' | 'transcription'

/** Number of results sent, and of results skipped because the cloud did not require transcriptions. */
export interface SpeechSent {
  readonly resultsSent: number
  readonly resultsSkipped: number
}

/** Simulated microphone with the phone's speech recognizer, controlled by `microphone_state_change` (decision W7). */
export class Microphone {
  readonly #deps: MicrophoneDeps
  readonly #uplink: AudioUplink
  readonly #voice: VoiceActivity
  #requiredData: readonly string[] = []

  constructor(format: AudioFormat | undefined, deps: MicrophoneDeps) {
    this.#deps = deps
    this.#uplink = new AudioUplink(deps.phone, format)
    this.#voice = new VoiceActivity(deps.clock, (status) => {
      if (deps.isConnected()) deps.send({ type: 'VAD', status })
    })
  }

  /** The `requiredData` of the last `microphone_state_change`; empty if the microphone is off. */
  get requiredData(): readonly string[] {
    return this.#requiredData
  }

  get isOn(): boolean {
    return this.#requiredData.length > 0
  }

  /** Whether the phone sends this data. For `pcm_or_transcription` phones send both. */
  sends(data: MicrophoneData): boolean {
    return this.#requiredData.includes(data) || this.#requiredData.includes('pcm_or_transcription')
  }

  /** Applies a `microphone_state_change`. Like phones, reads only `requiredData`, not `isMicrophoneEnabled`. */
  handle(message: Message): void {
    this.#set(Array.isArray(message.requiredData) ? message.requiredData : [])
  }

  /** Turns the microphone off when the connection closes: the cloud sends its state on every connection. */
  reset(): void {
    this.#voice.reset()
    if (this.isOn) this.#set([])
  }

  /** Configures the audio format at the cloud, if there is one. */
  sendConfiguration(): Promise<void> {
    return this.#uplink.sendConfiguration()
  }

  configure(format: AudioFormat): Promise<void> {
    return this.#uplink.configure(format)
  }

  async play(pcm: Uint8Array, options: SendAudioOptions): Promise<AudioSent> {
    this.#uplink.validateFrameMs(options.frameMs)
    await this.#uplink.idle
    return sendAudio(pcm, options, {
      isOn: () => this.sends('pcm') && this.#deps.isConnected(),
      send: (frame) => this.#deps.sendBinary(this.#uplink.encode(frame)),
      clock: this.#deps.clock,
    })
  }

  async sendFrame(pcm: Uint8Array): Promise<boolean> {
    if (!this.#deps.isConnected()) return false
    if (!this.sends('pcm')) {
      if (this.sends('transcription')) this.#voice.push(pcm)
      return false
    }
    await this.#deps.sendBinary(this.#uplink.encode(pcm))
    return true
  }

  async speak(text: string, options: SpeechOptions): Promise<SpeechSent> {
    const { clock, send } = this.#deps
    const { interim = true, wordMs = 0, offlineMode = false } = options
    const startTime = clock.now()
    let resultsSent = 0
    let resultsSkipped = 0
    for (const [index, result] of recognitionResults(text, interim).entries()) {
      if (index > 0) await delay(clock, wordMs)
      if (offlineMode || this.sends('transcription')) {
        send(localTranscription(result, options, { startTime, endTime: clock.now() }))
        resultsSent++
      } else {
        resultsSkipped++
      }
    }
    return { resultsSent, resultsSkipped }
  }

  #set(requiredData: readonly string[]): void {
    this.#requiredData = requiredData
    this.#deps.onChange({ on: this.isOn, requiredData })
  }
}
