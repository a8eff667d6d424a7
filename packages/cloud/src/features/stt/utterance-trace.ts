import type { Tracing } from '../../tracing/index.ts'

/** Traces the utterances of one stream: one trace for each final text, none for frames or interim texts. */
export class UtteranceTrace {
  readonly #tracing: Tracing
  readonly #provider: string
  readonly #now: () => number
  #startTime: number | undefined
  #audioMs = 0

  /** @param now epoch milliseconds */
  constructor(tracing: Tracing, provider: string, now: () => number) {
    this.#tracing = tracing
    this.#provider = provider
    this.#now = now
  }

  /** Records audio that is sent to the provider. */
  heard(ms: number): void {
    this.#startTime ??= this.#now()
    this.#audioMs += ms
  }

  /** Ends an utterance with its final text, which is delivered in its trace. */
  end(deliver: () => void): void {
    const attributes = { 'speech.provider': this.#provider, 'speech.audio_ms': Math.round(this.#audioMs) }
    const time = this.#startTime === undefined ? {} : { startTime: this.#startTime }
    this.#startTime = undefined
    this.#audioMs = 0
    const utterance = this.#tracing.start('utterance', { parent: undefined, attributes, ...time })
    this.#tracing.start('utterance.recognize', { parent: utterance.context, attributes, ...time }).end()
    const delivery = this.#tracing.start('utterance.deliver', { parent: utterance.context })
    this.#tracing.within(delivery.context, deliver)
    delivery.end()
    utterance.end()
  }
}
