import { existsSync } from 'node:fs'
import { childUse } from '../support/child-use.ts'

/** Interval at which memory is measured, in milliseconds: programs may run for one utterance only. */
const SAMPLE_MS = 200

/** What the recognizer processes, the child processes of this one, used of the machine. Linux only. */
export class RecognizerUse {
  #cpuMs = 0
  #peakBytes = 0
  readonly #isMeasurable = existsSync('/proc/self/stat')

  /** Processor time of user and system; undefined on other systems. */
  get cpuMs(): number | undefined {
    return this.#isMeasurable ? this.#cpuMs : undefined
  }

  /** Most resident memory at a time; undefined on other systems. */
  get peakBytes(): number | undefined {
    return this.#isMeasurable ? this.#peakBytes : undefined
  }

  /** Adds what the processes use until the work is done. */
  async measure<Result>(work: () => Promise<Result>): Promise<Result> {
    if (!this.#isMeasurable) return work()
    const before = this.#sample()
    const timer = setInterval(() => this.#sample(), SAMPLE_MS)
    try {
      return await work()
    } finally {
      clearInterval(timer)
      this.#cpuMs += this.#sample() - before
    }
  }

  /** @returns the processor time of all child processes so far */
  #sample(): number {
    const { cpuMs, endedCpuMs, peakResidentBytes } = childUse(process.pid)
    this.#peakBytes = Math.max(this.#peakBytes, peakResidentBytes)
    return cpuMs + endedCpuMs
  }
}
