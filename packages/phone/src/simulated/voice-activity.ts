import type { Clock, Timer } from '../clock.ts'

/** Root mean square, of 32,768, from which a frame counts as speech. */
const THRESHOLD = 300
/** Silence after which speech has ended, in milliseconds. */
const PAUSE_MS = 700

/** Reports when speech starts and ends in live audio, as the voice detection of phones does. */
export class VoiceActivity {
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
