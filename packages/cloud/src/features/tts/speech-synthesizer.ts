import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { ByteRange } from '../../blobs/index.ts'
import type { Clock } from '../../time/index.ts'
import { PendingSpeech, type SpeechLimits } from './pending-speech.ts'
import type { SpeechBudget } from './speech-budget.ts'
import type { CachedSpeech, SpeechCache } from './speech-cache.ts'
import {
  type FoundVoice,
  SpeechProviderError,
  type SpeechRequest,
  type TextToSpeech,
  UnsupportedSpeechError,
} from './text-to-speech.ts'

/** The limit of concurrent syntheses is reached. */
export class SynthesisLimitError extends Error {}

/** Streamed audio. */
export interface SpeechAudio {
  readonly stream: Readable
  /** Total size in bytes, if known. */
  readonly bytes?: number
}

/** Milliseconds for which speech that a client reads in ranges is kept, for its next range. */
const NEXT_RANGE_MS = 60_000

/** Limits of speech synthesis. */
export interface SynthesisLimits extends SpeechLimits {
  /** Maximum concurrent syntheses. */
  readonly maxConcurrent: number
  /** Maximum concurrent syntheses of one caller, because a slow reader occupies a slot until its audio ends. */
  readonly maxConcurrentPerCaller: number
  /** Maximum size of generated speech in memory, in bytes; above it the oldest speech is aborted. */
  readonly maxBufferedBytes: number
}

export interface SpeechSynthesizerDeps {
  readonly provider: TextToSpeech
  readonly cache: SpeechCache
  readonly clock: Clock
  readonly limits?: Partial<SynthesisLimits>
  /** What the provider may cost; undefined: it is free. */
  readonly budget?: Pick<SpeechBudget, 'charge'> | undefined
  /** Counts speech by source. */
  count(source: 'cache' | 'shared' | 'provider'): void
}

/** Speech in the cache, or one that is generated. */
type FoundSpeech = { readonly key: string } & (
  | { readonly cached: CachedSpeech; readonly speech?: undefined }
  | { readonly cached?: undefined; readonly speech: PendingSpeech }
)

/** A text to synthesize, and for whom. */
interface Synthesis {
  readonly request: SpeechRequest
  readonly voice: FoundVoice
  readonly caller: string
}

const DEFAULT_LIMITS: SynthesisLimits = {
  chunkTimeoutMs: 30_000,
  maxBytes: 32 * 1024 * 1024,
  readAheadBytes: 8 * 1024 * 1024,
  synthesisTimeoutMs: 5 * 60_000,
  listenerTimeoutMs: 10 * 60_000,
  maxBufferedBytes: 128 * 1024 * 1024,
  maxConcurrent: 16,
  maxConcurrentPerCaller: 8,
}

/** Synthesizes texts: from the cache, from a pending synthesis of the same text, or from the provider. */
export class SpeechSynthesizer {
  readonly #deps: SpeechSynthesizerDeps
  readonly #limits: SynthesisLimits
  readonly #pending = new Map<string, PendingSpeech>()
  /** Generated speech that is kept for further ranges, and the listener that keeps it. */
  readonly #kept = new Map<string, { readonly speech: PendingSpeech; readonly listener: Readable }>()
  readonly #cacheWrites = new Set<Promise<void>>()
  /** The caller that started each pending synthesis. */
  readonly #slots = new Set<{ readonly caller: string }>()
  /** Completely generated speech that listeners still read, oldest first. */
  readonly #buffered = new Set<PendingSpeech>()

  constructor(deps: SpeechSynthesizerDeps) {
    this.#deps = deps
    this.#limits = { ...DEFAULT_LIMITS, ...deps.limits }
  }

  /** Default voice. */
  get voice(): string | undefined {
    return this.#deps.provider.voice
  }

  /** Default model. */
  get model(): string | undefined {
    return this.#deps.provider.model
  }

  /**
   * Synthesizes a text. Resolves with the first audio. Destroying the stream, or aborting before, disconnects the
   * listener.
   * @param caller whose concurrent syntheses are limited
   * @throws SynthesisLimitError, SpeechBudgetError, SpeechProviderError, UnsupportedSpeechError
   */
  async synthesize(request: SpeechRequest, caller: string, signal: AbortSignal): Promise<SpeechAudio> {
    const found = await this.#find(request, caller, signal)
    if (found.cached) return { stream: await found.cached.open(), bytes: found.cached.bytes }
    const { speech } = found
    return { stream: await this.#listen(speech, signal, () => speech.waitForAudio()) }
  }

  /**
   * Synthesizes a text, and resolves when its size is known, which is once everything was generated. The speech is kept
   * for a minute, so that further ranges are of the same.
   * @throws like `synthesize`
   */
  async complete(request: SpeechRequest, caller: string, signal: AbortSignal): Promise<CachedSpeech> {
    const found = await this.#find(request, caller, signal)
    if (found.cached) return found.cached
    const { key, speech } = found
    const listener = await this.#listen(speech, signal, () => speech.waitForEnd())
    if (this.#kept.has(key)) listener.destroy()
    else {
      this.#kept.set(key, { speech, listener })
      const end = this.#deps.clock.after(NEXT_RANGE_MS, () => listener.destroy())
      listener
        .once('error', () => {})
        .once('close', () => {
          end.cancel()
          this.#kept.delete(key)
        })
    }
    return { bytes: speech.bytes, open: async (range) => speech.listen(range) }
  }

  /** Finds cached speech, or joins or starts its synthesis. */
  async #find(request: SpeechRequest, caller: string, signal: AbortSignal): Promise<FoundSpeech> {
    const { cache, count } = this.#deps
    const voice = this.#findVoice(request.voice)
    const key = this.#keyOf(request, voice)
    const cached = this.#pending.has(key) ? undefined : await cache.read(key)
    if (cached) {
      count('cache')
      const open = async (range?: ByteRange) => this.#withDeadline(await cached.open(range))
      return { key, cached: { bytes: cached.bytes, open } }
    }
    signal.throwIfAborted()
    const shared = this.#pending.get(key) ?? this.#kept.get(key)?.speech
    const speech = shared ?? this.#start(key, { request, voice, caller })
    count(shared ? 'shared' : 'provider')
    return { key, speech }
  }

  /** Returns a listener of speech once it has what is waited for. */
  async #listen(speech: PendingSpeech, signal: AbortSignal, wait: () => Promise<void>): Promise<Readable> {
    const stream = speech.listen()
    const disconnect = () => stream.destroy()
    signal.addEventListener('abort', disconnect, { once: true })
    try {
      await wait()
      return stream
    } catch (error) {
      stream.destroy()
      throw error
    } finally {
      signal.removeEventListener('abort', disconnect)
    }
  }

  /** Resolves when all completed speech is stored in the cache. */
  async idle(): Promise<void> {
    await Promise.all(this.#cacheWrites)
  }

  /** Cancels pending syntheses; completed speech is stored in the cache. */
  async close(): Promise<void> {
    for (const speech of [...this.#pending.values()]) speech.cancel(new Error('the cloud is going down'))
    for (const { listener } of this.#kept.values()) listener.destroy()
    await this.idle()
  }

  #start(key: string, synthesis: Synthesis): PendingSpeech {
    const { caller } = synthesis
    const { cache, clock } = this.#deps
    const { maxConcurrent, maxConcurrentPerCaller } = this.#limits
    const callerSlots = [...this.#slots].filter((slot) => slot.caller === caller).length
    if (this.#slots.size >= maxConcurrent || callerSlots >= maxConcurrentPerCaller)
      throw new SynthesisLimitError()
    const slot = { caller }
    const speech = new PendingSpeech({
      clock,
      limits: this.#limits,
      synthesize: (signal) => this.#generate(synthesis, signal),
      onLastListenerClosed: () => this.#buffered.delete(speech),
      onEnd: (chunks) => {
        this.#slots.delete(slot)
        if (chunks !== undefined) this.#addBuffered(speech)
        // Listeners can join while the file is written, so that the text is not synthesized again.
        const cacheWrite = chunks === undefined ? undefined : cache.put(key, chunks)
        if (cacheWrite === undefined) this.#pending.delete(key)
        else this.#trackCacheWrite(key, cacheWrite)
      },
    })
    this.#slots.add(slot)
    this.#pending.set(key, speech)
    return speech
  }

  /** Charges a text and requests its speech; what the provider did not receive, or rejects, is not charged. */
  async #generate(
    { request, voice, caller }: Synthesis,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>> {
    const { budget } = this.#deps
    const refund = await budget?.charge(caller, [...request.text].length)
    try {
      if (signal.aborted) throw new SpeechProviderError('The speech was canceled', { isFree: true })
      return await voice.synthesize(request, signal)
    } catch (error) {
      const isFree =
        error instanceof UnsupportedSpeechError || (error instanceof SpeechProviderError && error.isFree)
      // The error of the speech says more than that of a refund.
      if (isFree) await refund?.().catch(() => {})
      throw error
    }
  }

  #withDeadline(stream: Readable): Readable {
    const deadline = this.#deps.clock.after(this.#limits.listenerTimeoutMs, () =>
      stream.destroy(new Error('The client did not read the speech in time')),
    )
    return stream.once('close', () => deadline.cancel())
  }

  /** Aborts the oldest speech if slow listeners cause too much of it to stay in memory (TTS-37). */
  #addBuffered(speech: PendingSpeech): void {
    this.#buffered.add(speech)
    let bytes = [...this.#buffered].reduce((sum, buffered) => sum + buffered.bytes, 0)
    for (const oldest of [...this.#buffered]) {
      if (bytes <= this.#limits.maxBufferedBytes) return
      bytes -= oldest.bytes
      oldest.disconnect(new Error('Too much speech waits for clients that read slowly'))
    }
  }

  #trackCacheWrite(key: string, write: Promise<void>): void {
    const done = write.finally(() => {
      this.#cacheWrites.delete(done)
      this.#pending.delete(key)
    })
    this.#cacheWrites.add(done)
  }

  /** What a name stands for may change, so it is found before the cache is asked. */
  #findVoice(name: string): FoundVoice {
    const { provider } = this.#deps
    return (
      provider.findVoice?.(name) ?? {
        key: name,
        synthesize: (request, signal) => provider.synthesize(request, signal),
      }
    )
  }

  #keyOf({ text, model, settings }: SpeechRequest, voice: FoundVoice): string {
    const { stability, similarity_boost, style, use_speaker_boost, speed } = settings
    const settingValues = [stability, similarity_boost, style, use_speaker_boost, speed]
    return createHash('sha256')
      .update(JSON.stringify([this.#deps.provider.name, text, voice.key, model, settingValues]))
      .digest('hex')
  }
}
