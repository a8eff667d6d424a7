import { Readable } from 'node:stream'
import type { Clock, Timer } from '../../session/index.ts'
import { SpeechProviderError } from './text-to-speech.ts'

/** Limits of one synthesis. */
export interface SpeechLimits {
  /** Time in ms within which the provider must return the next audio. */
  readonly patienceMs: number
  /** Maximum audio in bytes. */
  readonly maxBytes: number
  /** How far the provider is read ahead of the fastest listener, in bytes: more than a text of maximum length. */
  readonly readAheadBytes: number
  /** Milliseconds within which the provider must have generated everything. */
  readonly synthesisTimeoutMs: number
  /** Milliseconds within which a listener must have read everything: longer than the longest text plays. */
  readonly listenerTimeoutMs: number
}

export interface PendingSpeechDeps {
  readonly clock: Clock
  readonly bounds: SpeechLimits
  synthesize(signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>
  /** Called at the end with the complete audio, or undefined if it failed or was canceled. */
  over(whole: readonly Uint8Array[] | undefined): void
  /** The last listener has disconnected. */
  unheard(): void
}

/**
 * One synthesis and its listeners. Each listener receives the audio from its beginning. The provider is read up to
 * `readAheadBytes` ahead of the fastest listener, so that ordinary texts are generated at the pace of the provider,
 * however slowly anyone listens (TTS-36). When the last listener disconnects, the synthesis is canceled.
 */
export class PendingSpeech {
  readonly #parts: PendingSpeechDeps
  readonly #letGo = new AbortController()
  readonly #chunks: Uint8Array[] = []
  #bytes = 0
  /** Bytes that the fastest listener has read. */
  #readBytes = 0
  readonly #deadline: Timer
  #source: AsyncIterator<Uint8Array> | undefined
  #pulling: Promise<void> | undefined
  #listeners = 0
  readonly #streams = new Set<Readable>()
  #end: { readonly failure: unknown } | undefined

  constructor(parts: PendingSpeechDeps) {
    const { clock, bounds } = parts
    this.#parts = parts
    this.#deadline = clock.after(bounds.synthesisTimeoutMs, () =>
      this.#finish({ failure: new SpeechProviderError('The speech provider did not finish in time') }),
    )
  }

  /** Bytes that are kept in memory. */
  get bytes(): number {
    return this.#bytes
  }

  /** The audio from its beginning. To stop listening, destroy the stream. */
  listen(): Readable {
    const { clock, bounds } = this.#parts
    let at = 0
    let readBytes = 0
    const next = async (): Promise<Uint8Array | null> => {
      while (at === this.#chunks.length && !this.#end) await this.#pull()
      const chunk = this.#chunks[at]
      at += 1
      if (chunk !== undefined) {
        readBytes += chunk.byteLength
        this.#readBytes = Math.max(this.#readBytes, readBytes)
        this.#readAhead()
        return chunk
      }
      if (this.#end?.failure !== undefined) throw this.#end.failure
      return null
    }
    this.#listeners += 1
    const stream = new Readable({
      read() {
        next().then(
          (chunk) => stream.destroyed || stream.push(chunk),
          (error) => stream.destroy(error),
        )
      },
      destroy: (error, done) => {
        deadline.cancel()
        this.#streams.delete(stream)
        this.#leave()
        done(error)
      },
    })
    const deadline = clock.after(bounds.listenerTimeoutMs, () =>
      stream.destroy(new Error('The client did not read the speech in time')),
    )
    this.#streams.add(stream)
    return stream
  }

  /** Resolves with the first audio. @throws the error of a synthesis that fails before */
  async begun(): Promise<void> {
    while (this.#chunks.length === 0 && !this.#end) await this.#pull()
    if (this.#chunks.length === 0) throw this.#end?.failure
  }

  /** Cancels the synthesis. */
  abandon(reason: Error): void {
    this.#finish({ failure: reason })
  }

  /** Disconnects all listeners. */
  disconnect(reason: Error): void {
    for (const stream of [...this.#streams]) stream.destroy(reason)
  }

  #leave(): void {
    this.#listeners -= 1
    if (this.#listeners > 0) return
    this.abandon(new Error('nobody listens any more'))
    this.#parts.unheard()
  }

  /** Reads from the provider unless it is far enough ahead of the listeners. */
  #readAhead(): void {
    if (this.#end || this.#bytes - this.#readBytes >= this.#parts.bounds.readAheadBytes) return
    void this.#pull()
  }

  /** Reads the next audio from the provider; concurrent callers share one read. Never throws. */
  #pull(): Promise<void> {
    this.#pulling ??= this.#take().finally(() => {
      this.#pulling = undefined
      this.#readAhead()
    })
    return this.#pulling
  }

  async #take(): Promise<void> {
    try {
      const chunk = await this.#patiently(this.#next())
      if (this.#end) return
      if (chunk !== undefined) return this.#add(chunk)
      if (this.#bytes === 0) throw new SpeechProviderError('The speech provider gave no sound')
      this.#finish({ failure: undefined })
    } catch (failure) {
      this.#finish({ failure })
    }
  }

  async #next(): Promise<Uint8Array | undefined> {
    if (!this.#source) {
      const sound = await this.#parts.synthesize(this.#letGo.signal)
      this.#source = sound[Symbol.asyncIterator]()
    }
    const { done, value } = await this.#source.next()
    return done ? undefined : value
  }

  #add(chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength
    if (this.#bytes > this.#parts.bounds.maxBytes)
      throw new SpeechProviderError('The speech provider does not end')
    if (chunk.byteLength > 0) this.#chunks.push(chunk)
  }

  /** Waits for the provider until the timeout or the cancellation. */
  #patiently<Value>(work: Promise<Value>): Promise<Value> {
    const { clock, bounds } = this.#parts
    const { signal } = this.#letGo
    return new Promise((resolve, reject) => {
      const letGo = () => reject(signal.reason)
      signal.addEventListener('abort', letGo, { once: true })
      const late = clock.after(bounds.patienceMs, () =>
        reject(new SpeechProviderError('The speech provider takes too long')),
      )
      work.then(resolve, reject).finally(() => {
        late.cancel()
        signal.removeEventListener('abort', letGo)
      })
    })
  }

  #finish(end: { readonly failure: unknown }): void {
    if (this.#end) return
    this.#end = end
    this.#deadline.cancel()
    if (end.failure !== undefined) this.#letGo.abort(end.failure)
    this.#parts.over(end.failure === undefined ? this.#chunks : undefined)
  }
}
