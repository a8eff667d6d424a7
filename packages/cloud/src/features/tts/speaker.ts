import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Clock } from '../../session/index.ts'
import type { SpeechCache } from './speech-cache.ts'
import { type SpeechBounds, SpeechUnderWay } from './speech-under-way.ts'
import type { SpeechRequest, TextToSpeech } from './text-to-speech.ts'

/** More is spoken at the same time than the cloud takes on. */
export class SpeakerBusy extends Error {}

/** Sound on its way. */
export interface Spoken {
  readonly stream: Readable
  /** Size of the whole, where it is known. */
  readonly bytes?: number
}

/** Bounds of what speaks. */
export interface SpeakerLimits extends SpeechBounds {
  /** Most pieces that are made at the same time. */
  readonly atOnce: number
  /** Most of them for one who asks: whoever does not take the sound holds a place for as long as it lasts. */
  readonly atOnceEach: number
  /** Generated speech that is kept in memory for listeners, in bytes; beyond it the oldest is aborted. */
  readonly maxPlayingBytes: number
}

/** What a speaker works with. */
export interface SpeakerParts {
  readonly provider: TextToSpeech
  readonly cache: SpeechCache
  readonly clock: Clock
  readonly limits?: Partial<SpeakerLimits>
  /** Counts where speech came from. */
  count(source: 'cache' | 'shared' | 'provider'): void
}

const usualLimits: SpeakerLimits = {
  patienceMs: 30_000,
  maxBytes: 32 * 1024 * 1024,
  readAheadBytes: 8 * 1024 * 1024,
  synthesisTimeoutMs: 5 * 60_000,
  listenerTimeoutMs: 10 * 60_000,
  maxPlayingBytes: 128 * 1024 * 1024,
  atOnce: 16,
  atOnceEach: 8,
}

/** Speaks texts: from the cache, along with somebody who has the same text spoken right now, or anew. */
export class Speaker {
  readonly #parts: SpeakerParts
  readonly #limits: SpeakerLimits
  readonly #underWay = new Map<string, SpeechUnderWay>()
  readonly #keeping = new Set<Promise<void>>()
  /** Who had each piece begun that is being made. */
  readonly #making = new Set<{ readonly by: string }>()
  /** Speech that is generated and still being read, oldest first. */
  readonly #playing = new Set<SpeechUnderWay>()

  constructor(parts: SpeakerParts) {
    this.#parts = parts
    this.#limits = { ...usualLimits, ...parts.limits }
  }

  /** What speaks where a request names no voice. */
  get voice(): string | undefined {
    return this.#parts.provider.voice
  }

  /** What is used where a request names no model. */
  get model(): string | undefined {
    return this.#parts.provider.model
  }

  /**
   * Speaks. Resolves when there is sound; destroying the stream, or aborting before that, is leaving.
   * @param by who asks
   * @throws SpeakerBusy, SpeechProviderError
   */
  async speak(request: SpeechRequest, by: string, signal: AbortSignal): Promise<Spoken> {
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

  /** Resolves when what was spoken so far is kept. */
  async settled(): Promise<void> {
    await Promise.all(this.#keeping)
  }

  /** Breaks off what is being spoken, and lets what is complete be kept. */
  async close(): Promise<void> {
    for (const speech of [...this.#underWay.values()]) speech.abandon(new Error('the cloud is going down'))
    await this.settled()
  }

  #begin(key: string, request: SpeechRequest, by: string): SpeechUnderWay {
    const { provider, cache, clock } = this.#parts
    const { atOnce, atOnceEach } = this.#limits
    const own = [...this.#making].filter((piece) => piece.by === by).length
    if (this.#making.size >= atOnce || own >= atOnceEach) throw new SpeakerBusy()
    const piece = { by }
    const speech = new SpeechUnderWay({
      clock,
      bounds: this.#limits,
      synthesize: (signal) => provider.synthesize(request, signal),
      unheard: () => this.#playing.delete(speech),
      over: (whole) => {
        this.#making.delete(piece)
        if (whole !== undefined) this.#keepPlaying(speech)
        // Still to be joined while it is written, so that nobody has it made again.
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
  #keepPlaying(speech: SpeechUnderWay): void {
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
