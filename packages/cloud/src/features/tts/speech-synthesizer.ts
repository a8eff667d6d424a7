import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Clock } from '../../session/index.ts'
import { PendingSpeech, type SpeechLimits } from './pending-speech.ts'
import type { SpeechCache } from './speech-cache.ts'
import type { SpeechRequest, TextToSpeech } from './text-to-speech.ts'

/** The limit of concurrent syntheses is reached. */
export class SynthesisLimitError extends Error {}

/** Streamed audio. */
export interface SpeechAudio {
  readonly stream: Readable
  /** Total size in bytes, if known. */
  readonly bytes?: number
}

/** Limits of speech synthesis. */
export interface SynthesisLimits extends SpeechLimits {
  /** Maximum concurrent syntheses. */
  readonly atOnce: number
  /** Maximum concurrent syntheses of one caller, because a slow reader occupies a slot until its audio ends. */
  readonly atOnceEach: number
  /** Generated speech that is kept in memory for listeners, in bytes; beyond it the oldest is aborted. */
  readonly maxPlayingBytes: number
}

export interface SpeechSynthesizerDeps {
  readonly provider: TextToSpeech
  readonly cache: SpeechCache
  readonly clock: Clock
  readonly limits?: Partial<SynthesisLimits>
  /** Counts speech by source. */
  count(source: 'cache' | 'shared' | 'provider'): void
}

const usualLimits: SynthesisLimits = {
  patienceMs: 30_000,
  maxBytes: 32 * 1024 * 1024,
  readAheadBytes: 8 * 1024 * 1024,
  synthesisTimeoutMs: 5 * 60_000,
  listenerTimeoutMs: 10 * 60_000,
  maxPlayingBytes: 128 * 1024 * 1024,
  atOnce: 16,
  atOnceEach: 8,
}

/** Synthesizes texts: from the cache, from a pending synthesis of the same text, or from the provider. */
export class SpeechSynthesizer {
  readonly #parts: SpeechSynthesizerDeps
  readonly #limits: SynthesisLimits
  readonly #underWay = new Map<string, PendingSpeech>()
  readonly #keeping = new Set<Promise<void>>()
  /** The caller that started each pending synthesis. */
  readonly #making = new Set<{ readonly by: string }>()
  /** Speech that is generated and still being read, oldest first. */
  readonly #playing = new Set<PendingSpeech>()

  constructor(parts: SpeechSynthesizerDeps) {
    this.#parts = parts
    this.#limits = { ...usualLimits, ...parts.limits }
  }

  /** Default voice. */
  get voice(): string | undefined {
    return this.#parts.provider.voice
  }

  /** Default model. */
  get model(): string | undefined {
    return this.#parts.provider.model
  }

  /**
   * Synthesizes a text. Resolves with the first audio. Destroying the stream, or aborting before, disconnects the
   * listener.
   * @param by the caller, for limits
   * @throws SpeakerBusy, SpeechProviderError
   */
  async speak(request: SpeechRequest, by: string, signal: AbortSignal): Promise<SpeechAudio> {
    const { cache, count } = this.#parts
    const key = this.#keyOf(request)
    const kept = this.#underWay.has(key) ? undefined : await cache.read(key)
    if (kept) {
      count('cache')
      this.#limitListening(kept.stream)
      return kept
    }
    signal.throwIfAborted()
    const shared = this.#underWay.get(key)
    const speech = shared ?? this.#begin(key, request, by)
    count(shared ? 'shared' : 'provider')
    const stream = speech.listen()
    const leave = () => stream.destroy()
    signal.addEventListener('abort', leave, { once: true })
    try {
      await speech.begun()
      return { stream }
    } catch (error) {
      stream.destroy()
      throw error
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  /** Resolves when all completed speech is stored in the cache. */
  async settled(): Promise<void> {
    await Promise.all(this.#keeping)
  }

  /** Cancels pending syntheses; completed speech is stored in the cache. */
  async close(): Promise<void> {
    for (const speech of [...this.#underWay.values()]) speech.abandon(new Error('the cloud is going down'))
    await this.settled()
  }

  #begin(key: string, request: SpeechRequest, by: string): PendingSpeech {
    const { provider, cache, clock } = this.#parts
    const { atOnce, atOnceEach } = this.#limits
    const own = [...this.#making].filter((piece) => piece.by === by).length
    if (this.#making.size >= atOnce || own >= atOnceEach) throw new SynthesisLimitError()
    const piece = { by }
    const speech = new PendingSpeech({
      clock,
      bounds: this.#limits,
      synthesize: (signal) => provider.synthesize(request, signal),
      unheard: () => this.#playing.delete(speech),
      over: (whole) => {
        this.#making.delete(piece)
        if (whole !== undefined) this.#keepPlaying(speech)
        // Listeners can join while the file is written, so that the text is not synthesized again.
        const kept = whole === undefined ? undefined : cache.put(key, whole)
        if (kept === undefined) this.#underWay.delete(key)
        else this.#keep(key, kept)
      },
    })
    this.#making.add(piece)
    this.#underWay.set(key, speech)
    return speech
  }

  #limitListening(stream: Readable): void {
    const deadline = this.#parts.clock.after(this.#limits.listenerTimeoutMs, () =>
      stream.destroy(new Error('The client did not read the speech in time')),
    )
    stream.once('close', () => deadline.cancel())
  }

  /** Aborts the oldest speech if slow listeners keep too much of it in memory (TTS-37). */
  #keepPlaying(speech: PendingSpeech): void {
    this.#playing.add(speech)
    let bytes = [...this.#playing].reduce((sum, playing) => sum + playing.bytes, 0)
    for (const oldest of [...this.#playing]) {
      if (bytes <= this.#limits.maxPlayingBytes) return
      bytes -= oldest.bytes
      oldest.disconnect(new Error('Too much speech waits for clients that read slowly'))
    }
  }

  #keep(key: string, kept: Promise<void>): void {
    const done = kept.finally(() => {
      this.#keeping.delete(done)
      this.#underWay.delete(key)
    })
    this.#keeping.add(done)
  }

  #keyOf({ text, voice, model, settings }: SpeechRequest): string {
    const { stability, similarity_boost, style, use_speaker_boost, speed } = settings
    const asked = [stability, similarity_boost, style, use_speaker_boost, speed]
    return createHash('sha256')
      .update(JSON.stringify([this.#parts.provider.name, text, voice, model, asked]))
      .digest('hex')
  }
}
