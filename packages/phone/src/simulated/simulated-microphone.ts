import type { AudioFormat, Message } from '@glasses-cloud/contract'
import type { Lc3Encoder } from '../audio/lc3.ts'
import type { Microphone } from '../audio/microphone.ts'
import { type Clock, delay, type Timer } from '../clock.ts'
import { localTranscription, recognitionResults, type SpeechOptions } from './local-transcription.ts'
import { type AudioSent, type SendAudioOptions, sendAudio } from './send-audio.ts'

/** Root mean square, of 32,768, from which a frame counts as speech. */
const THRESHOLD = 300
/** Silence after which speech has ended, in milliseconds. */
const PAUSE_MS = 700

/** Reports when speech starts and ends in live audio, as the voice detection of phones does. */
class VoiceActivity {
  readonly #clock: Clock
  readonly #report: (isSpeaking: boolean) => void
  /** Ends the speech; undefined while there is none. */
  #pause: Timer | undefined

  constructor(clock: Clock, report: (isSpeaking: boolean) => void) {
    this.#clock = clock
    this.#report = report
  }

  push(pcm: Uint8Array): void {
    if (rootMeanSquare(pcm) < THRESHOLD) return
    if (this.#pause === undefined) this.#report(true)
    this.#clock.clearTimeout(this.#pause)
    this.#pause = this.#clock.setTimeout(() => {
      this.#pause = undefined
      this.#report(false)
    }, PAUSE_MS)
  }

  /** Forgets speech in progress without a report. */
  reset(): void {
    this.#clock.clearTimeout(this.#pause)
    this.#pause = undefined
  }
}

function rootMeanSquare(pcm: Uint8Array): number {
  const samples = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength)
  const count = pcm.byteLength >> 1
  let sum = 0
  for (let index = 0; index < count; index += 1) sum += samples.getInt16(index * 2, true) ** 2
  return count === 0 ? 0 : Math.sqrt(sum / count)
}

const LC3_FRAME_MS = 10

export interface SimulatedMicrophoneDeps {
  readonly clock: Clock
  readonly isConnected: () => boolean
  /** @throws {Error} if the connection is not open */
  readonly send: (message: Message) => void
  /** @throws {Error} if the connection is not open */
  readonly sendBinary: (frame: Uint8Array) => Promise<void>
}

/** Number of results sent, and of results skipped because the cloud did not require transcriptions. */
export interface SpeechSent {
  readonly resultsSent: number
  readonly resultsSkipped: number
}

/** What a simulated wearer lets the microphone hear, and a phone that recognizes speech by itself. */
export class SimulatedMicrophone {
  readonly #microphone: Microphone
  readonly #deps: SimulatedMicrophoneDeps
  readonly #voice: VoiceActivity
  #encoder: Lc3Encoder | undefined

  constructor(microphone: Microphone, deps: SimulatedMicrophoneDeps) {
    this.#microphone = microphone
    this.#deps = deps
    microphone.uplink.prepare = (format) => this.#prepare(format)
    this.#voice = new VoiceActivity(deps.clock, (status) => {
      if (deps.isConnected()) deps.send({ type: 'VAD', status })
    })
  }

  /** Forgets voice activity when the connection closes. */
  reset(): void {
    this.#voice.reset()
  }

  async play(pcm: Uint8Array, options: SendAudioOptions): Promise<AudioSent> {
    const { uplink } = this.#microphone
    this.#validateFrameMs(options.frameMs)
    await uplink.idle
    return sendAudio(pcm, options, {
      isOn: () => this.#microphone.sends('pcm') && this.#deps.isConnected(),
      send: (frame) => this.#deps.sendBinary(this.#encode(frame)),
      clock: this.#deps.clock,
    })
  }

  async sendFrame(pcm: Uint8Array): Promise<boolean> {
    if (!this.#deps.isConnected()) return false
    if (!this.#microphone.sends('pcm')) {
      if (this.#microphone.sends('transcription')) this.#voice.push(pcm)
      return false
    }
    await this.#deps.sendBinary(this.#encode(pcm))
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
      if (offlineMode || this.#microphone.sends('transcription')) {
        send(localTranscription(result, options, { startTime, endTime: clock.now() }))
        resultsSent++
      } else {
        resultsSkipped++
      }
    }
    return { resultsSent, resultsSkipped }
  }

  async #prepare(format: AudioFormat): Promise<void> {
    // Imported on demand: the codec is large, and most clients send PCM.
    const { Lc3Encoder } = format.format === 'lc3' ? await import('../audio/lc3.ts') : {}
    this.#encoder = Lc3Encoder && format.format === 'lc3' ? new Lc3Encoder(format.frameSizeBytes) : undefined
  }

  #encode(pcm: Uint8Array): Uint8Array {
    return this.#encoder ? this.#encoder.encode(pcm) : pcm
  }

  /** @throws {Error} if frames of this length cannot be encoded in the configured format */
  #validateFrameMs(frameMs = LC3_FRAME_MS): void {
    if (this.#microphone.uplink.format?.format === 'lc3' && frameMs % LC3_FRAME_MS !== 0)
      throw new Error(`frameMs must be a multiple of ${LC3_FRAME_MS} for LC3 (got ${frameMs})`)
  }
}
