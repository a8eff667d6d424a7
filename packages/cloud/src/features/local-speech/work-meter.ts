import { performance } from 'node:perf_hooks'

/** Share of a processor that recognition may use, so that it keeps up when a stream needs more for a while. */
const MAX_SHARE = 0.7
/** Audio after which older measurements count half, in milliseconds. */
const HALF_LIFE_MS = 30_000

/** Measures how much work a second of audio is. */
export class WorkMeter {
  readonly #now: () => number
  #audioMs = 0
  #workMs = 0

  /** @param now monotonic time in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Seconds of work for a second of audio; 0 before the first audio. */
  get realTimeFactor(): number {
    return this.#audioMs === 0 ? 0 : this.#workMs / this.#audioMs
  }

  /** Streams of continuous speech that can be recognized in time; at least one, which may then lag. */
  get capacity(): number {
    return Math.max(1, Math.floor(MAX_SHARE / Math.max(this.realTimeFactor, 1e-4)))
  }

  addAudio(ms: number): void {
    const keep = 2 ** (-ms / HALF_LIFE_MS)
    this.#audioMs = this.#audioMs * keep + ms
    this.#workMs *= keep
  }

  /** Runs a piece of work. @returns its duration in milliseconds */
  work(task: () => void): number {
    const startedAt = this.#now()
    task()
    const durationMs = this.#now() - startedAt
    this.#workMs += durationMs
    return durationMs
  }
}
