import type { Timer } from '../../../time/index.ts'
import type { SessionContext } from '../part.ts'
import type { OutputReport, SessionStreaming } from './port.ts'

export interface OutputStatusPollerDeps {
  /** Whether some output has not reached a final status. */
  isPending(): boolean
  /** Whether there is an output to ask for. */
  hasOutputs(): boolean
  /** Called with each response of the provider; undefined if the request failed. */
  onReport(reports: readonly OutputReport[] | undefined): void
}

/**
 * Polls the provider for the status of a stream's outputs: soon after one was added, then at increasing intervals until
 * all are final, and on demand (OUT-12).
 */
export class OutputStatusPoller {
  readonly #context: SessionContext
  readonly #streaming: SessionStreaming
  readonly #deps: OutputStatusPollerDeps
  #inputId: string | undefined
  #timer: Timer | undefined
  #unwatch: (() => void) | undefined
  #attempts = 0
  #lastResponseAt = Number.NEGATIVE_INFINITY
  /** Callbacks of the request in progress. */
  #waiting: (() => void)[] | undefined

  constructor(context: SessionContext, streaming: SessionStreaming, deps: OutputStatusPollerDeps) {
    this.#context = context
    this.#streaming = streaming
    this.#deps = deps
  }

  start(inputId: string): void {
    this.#inputId = inputId
    this.#unwatch = this.#streaming.watchOutputs(inputId, () => this.#outputsChanged())
  }

  /** Restarts with the shortest interval, after an output was added. */
  restart(): void {
    this.#attempts = 0
    this.#schedule()
  }

  /** Polls unless the last response is recent; always calls `done`. */
  refresh(done: () => void): void {
    const { clock, timing } = this.#context
    if (this.#waiting) return void this.#waiting.push(done)
    if (clock.monotonicNow() - this.#lastResponseAt < timing.outputCacheMs) return done()
    this.#poll(done)
  }

  end(): void {
    this.#unwatch?.()
    this.#timer?.cancel()
    this.#inputId = undefined
    this.#resolveWaiting()
  }

  /** Polls now, or again after the request in progress, whose response may be older than the change. */
  #outputsChanged(): void {
    if (!this.#deps.hasOutputs()) return
    if (this.#waiting) this.#waiting.push(() => this.#outputsChanged())
    else this.#poll(() => {})
  }

  #schedule(): void {
    const { clock, timing } = this.#context
    this.#timer?.cancel()
    const delay =
      timing.outputPollIntervalsMs[Math.min(this.#attempts, timing.outputPollIntervalsMs.length - 1)]
    if (delay === undefined) return
    this.#timer = clock.after(delay, () => {
      this.#attempts += 1
      if (this.#waiting) this.#schedule()
      else this.#poll(() => {})
    })
  }

  #poll(done: () => void): void {
    const inputId = this.#inputId
    if (inputId === undefined) return done()
    this.#waiting = [done]
    this.#streaming.listOutputs(inputId, (result) => {
      if (this.#inputId === undefined) return
      this.#lastResponseAt = this.#context.clock.monotonicNow()
      this.#deps.onReport(result.ok ? result.value : undefined)
      this.#resolveWaiting()
      if (this.#deps.isPending()) this.#schedule()
    })
  }

  #resolveWaiting(): void {
    const callbacks = this.#waiting ?? []
    this.#waiting = undefined
    for (const callback of callbacks) callback()
  }
}
