import { Readable } from 'node:stream'
import type { ByteRange } from '../../blobs/index.ts'
import type { Clock, Timer } from '../../time/index.ts'
import { SpeechProviderError } from './text-to-speech.ts'

/** Limits of one synthesis. */
export interface SpeechLimits {
  /** Time in ms within which the provider must return the next audio. */
  readonly chunkTimeoutMs: number
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
  readonly limits: SpeechLimits
  synthesize(signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>
  /** Called at the end with the complete audio, or undefined if it failed or was canceled. */
  onEnd(chunks: readonly Uint8Array[] | undefined): void
  /** Called when the last listener disconnects. */
  onLastListenerClosed(): void
}

/**
 * One synthesis and its listeners. Each listener receives the audio from its beginning. The provider is read up to
 * `readAheadBytes` ahead of the fastest listener, so that ordinary texts are generated at the pace of the provider,
 * even if all listeners read slowly (TTS-36). When the last listener disconnects, the synthesis is canceled.
 */
export class PendingSpeech {
  readonly #deps: PendingSpeechDeps
  readonly #abortController = new AbortController()
  readonly #chunks: Uint8Array[] = []
  #bytes = 0
  /** Bytes that the fastest listener has read. */
  #readBytes = 0
  readonly #deadline: Timer
  #source: AsyncIterator<Uint8Array> | undefined
  #pendingRead: Promise<void> | undefined
  #listeners = 0
  readonly #streams = new Set<Readable>()
  #end: { readonly failure: unknown } | undefined

  constructor(deps: PendingSpeechDeps) {
    const { clock, limits } = deps
    this.#deps = deps
    this.#deadline = clock.after(limits.synthesisTimeoutMs, () =>
      this.#finish({ failure: new SpeechProviderError('The speech provider did not finish in time') }),
    )
  }

  /** Size of the audio in memory, in bytes. */
  get bytes(): number {
    return this.#bytes
  }

  /** The audio from its beginning, or a range of it. To stop listening, destroy the stream. */
  listen({ start, end = Number.POSITIVE_INFINITY }: ByteRange = { start: 0 }): Readable {
    const { clock, limits } = this.#deps
    let index = 0
    let readBytes = 0
    const next = async (): Promise<Uint8Array | null> => {
      while (readBytes <= end) {
        while (index === this.#chunks.length && !this.#end) await this.#read()
        const chunk = this.#chunks[index]
        index += 1
        if (chunk === undefined) {
          if (this.#end?.failure !== undefined) throw this.#end.failure
          return null
        }
        const part = chunk.subarray(Math.max(start - readBytes, 0), end + 1 - readBytes)
        readBytes += chunk.byteLength
        this.#readBytes = Math.max(this.#readBytes, readBytes)
        this.#readAhead()
        if (part.byteLength > 0) return part
      }
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
        this.#removeListener()
        done(error)
      },
    })
    const deadline = clock.after(limits.listenerTimeoutMs, () =>
      stream.destroy(new Error('The client did not read the speech in time')),
    )
    this.#streams.add(stream)
    return stream
  }

  /** Resolves when the first audio is available. @throws the error of a synthesis that fails before */
  async waitForAudio(): Promise<void> {
    while (this.#chunks.length === 0 && !this.#end) await this.#read()
    if (this.#chunks.length === 0) throw this.#end?.failure
  }

  /** Resolves when all audio is available. @throws the error of a synthesis that fails before */
  async waitForEnd(): Promise<void> {
    while (!this.#end) await this.#read()
    if (this.#end.failure !== undefined) throw this.#end.failure
  }

  /** Cancels the synthesis. */
  cancel(reason: Error): void {
    this.#finish({ failure: reason })
  }

  /** Disconnects all listeners. */
  disconnect(reason: Error): void {
    for (const stream of [...this.#streams]) stream.destroy(reason)
  }

  #removeListener(): void {
    this.#listeners -= 1
    if (this.#listeners > 0) return
    this.cancel(new Error('All listeners have disconnected'))
    this.#deps.onLastListenerClosed()
  }

  /** Reads from the provider unless it is far enough ahead of the listeners. */
  #readAhead(): void {
    if (this.#end || this.#bytes - this.#readBytes >= this.#deps.limits.readAheadBytes) return
    void this.#read()
  }

  /** Reads the next audio from the provider; concurrent callers share one read. Never throws. */
  #read(): Promise<void> {
    this.#pendingRead ??= this.#readOnce().finally(() => {
      this.#pendingRead = undefined
      this.#readAhead()
    })
    return this.#pendingRead
  }

  async #readOnce(): Promise<void> {
    try {
      const chunk = await this.#withTimeout(this.#nextChunk())
      if (this.#end) return
      if (chunk !== undefined) return this.#add(chunk)
      if (this.#bytes === 0) throw new SpeechProviderError('The speech provider gave no sound')
      this.#finish({ failure: undefined })
    } catch (failure) {
      this.#finish({ failure })
    }
  }

  async #nextChunk(): Promise<Uint8Array | undefined> {
    if (!this.#source) {
      const audio = await this.#deps.synthesize(this.#abortController.signal)
      this.#source = audio[Symbol.asyncIterator]()
    }
    const { done, value } = await this.#source.next()
    return done ? undefined : value
  }

  #add(chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength
    if (this.#bytes > this.#deps.limits.maxBytes)
      throw new SpeechProviderError('The speech provider does not end')
    if (chunk.byteLength > 0) this.#chunks.push(chunk)
  }

  /** Rejects when `chunkTimeoutMs` elapse or the synthesis is canceled. */
  #withTimeout<Value>(work: Promise<Value>): Promise<Value> {
    const { clock, limits } = this.#deps
    const { signal } = this.#abortController
    return new Promise((resolve, reject) => {
      const onAbort = () => reject(signal.reason)
      signal.addEventListener('abort', onAbort, { once: true })
      const timeout = clock.after(limits.chunkTimeoutMs, () =>
        reject(new SpeechProviderError('The speech provider takes too long')),
      )
      work.then(resolve, reject).finally(() => {
        timeout.cancel()
        signal.removeEventListener('abort', onAbort)
      })
    })
  }

  #finish(end: { readonly failure: unknown }): void {
    if (this.#end) return
    this.#end = end
    this.#deadline.cancel()
    if (end.failure !== undefined) this.#abortController.abort(end.failure)
    this.#deps.onEnd(end.failure === undefined ? this.#chunks : undefined)
  }
}
