import type { Timer } from '../../clock.ts'
import type { SessionContext } from '../feature.ts'
import type { OutputReport, SessionStreaming } from './port.ts'

/** What the watch asks of the outputs. */
export interface OutputStatusPollerDeps {
  /** Whether some output is on its way to a final status. */
  isPending(): boolean
  /** What the provider says; undefined if it says nothing. */
  reported(reports: readonly OutputReport[] | undefined): void
}

/**
 * Asks the provider how the outputs of a stream stand: soon after one was added, then more and more seldom while
 * one is not final yet, and whenever somebody looks.
 */
export class OutputStatusPoller {
  readonly #context: SessionContext
  readonly #streaming: SessionStreaming
  readonly #watched: OutputStatusPollerDeps
  #inputId: string | undefined
  #timer: Timer | undefined
  #asked = 0
  #heardAt = Number.NEGATIVE_INFINITY
  /** Wait for the answer under way. */
  #waiting: (() => void)[] | undefined

  constructor(context: SessionContext, streaming: SessionStreaming, watched: OutputStatusPollerDeps) {
    this.#context = context
    this.#streaming = streaming
    this.#watched = watched
  }

  begin(inputId: string): void {
    this.#inputId = inputId
  }

  /** An output is new: begin anew with short waits. */
  wake(): void {
    this.#asked = 0
    this.#schedule()
  }

  /** Asks, unless the last answer is young; `done` is called in any case. */
  refresh(done: () => void): void {
    const { clock, timing } = this.#context
    if (this.#waiting) return void this.#waiting.push(done)
    if (clock.now() - this.#heardAt < timing.outputCacheMs) return done()
    this.#ask(done)
  }

  end(): void {
    this.#timer?.cancel()
    this.#inputId = undefined
    this.#answer()
  }

  #schedule(): void {
    const { clock, timing } = this.#context
    this.#timer?.cancel()
    const wait = timing.outputPollIntervalsMs[Math.min(this.#asked, timing.outputPollIntervalsMs.length - 1)]
    if (wait === undefined) return
    this.#timer = clock.after(wait, () => {
      this.#asked += 1
      if (this.#waiting) this.#schedule()
      else this.#ask(() => {})
    })
  }

  #ask(done: () => void): void {
    const inputId = this.#inputId
    if (inputId === undefined) return done()
    this.#waiting = [done]
    this.#streaming.listOutputs(inputId, (result) => {
      if (this.#inputId === undefined) return
      this.#heardAt = this.#context.clock.now()
      this.#watched.reported(result.ok ? result.value : undefined)
      this.#answer()
      if (this.#watched.isPending()) this.#schedule()
    })
  }

  #answer(): void {
    const waiting = this.#waiting ?? []
    this.#waiting = undefined
    for (const done of waiting) done()
  }
}
