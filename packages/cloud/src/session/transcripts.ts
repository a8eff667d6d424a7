import { matchesLanguage } from '@glasses-cloud/contract'
import { type Static, Type } from 'typebox'
import type { Clock } from '../time/index.ts'
import { LazyMap } from './lazy-collections.ts'

const transcriptSegment = Type.Object({
  resultId: Type.String(),
  speakerId: Type.Optional(Type.String()),
  text: Type.String(),
  timestamp: Type.Number({ description: 'Epoch milliseconds' }),
  isFinal: Type.Boolean(),
})

/** A segment of speech as returned by `GET /api/transcripts`. */
export type TranscriptSegment = Static<typeof transcriptSegment>

export const transcriptRange = Type.Object({ from: Type.Number(), to: Type.Number() })

/** A range of the history in epoch milliseconds, both ends inclusive. */
export type TranscriptRange = Static<typeof transcriptRange>

export const transcriptAccess = Type.Union([
  Type.Object({ ok: Type.Literal(true), segments: Type.Array(transcriptSegment) }),
  Type.Object({ ok: Type.Literal(false), reason: Type.Enum(['not_running', 'not_permitted']) }),
])

/** The transcripts for an app, oldest segment first, or why the app may not read them. */
export type TranscriptAccess = Static<typeof transcriptAccess>

const RETENTION_MS = 30 * 60_000
const MAX_SEGMENTS = 5_000
const MAX_LANGUAGES = 50
/** Interim segments in progress of one language. */
const MAX_SPEAKERS = 16
/** Bounds the memory of a session; far more than half an hour of speech. */
const MAX_CHARACTERS = 1_000_000

interface StoredSegment {
  readonly segment: TranscriptSegment
  /** In milliseconds of the monotonic clock. */
  readonly receivedAt: number
  /** When the speech began, on the same clock. */
  readonly begunAt: number
}

interface History {
  readonly finals: StoredSegment[]
  /** The interim segment in progress of each speaker, least recently updated first. */
  readonly interims: Map<string, StoredSegment>
}

/**
 * The transcripts of a session by language: 30 minutes of final segments, and the current interim segment of each
 * speaker (decision M3).
 */
export class Transcripts {
  readonly #clock: Clock
  readonly #byLanguage = new LazyMap<string, History>()
  #characters = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Adds a segment. It replaces the current interim segment of its language and speaker.
   * @param begunAt when the speech began, in milliseconds of the monotonic clock; now by default
   */
  add(language: string, segment: TranscriptSegment, begunAt = this.#clock.monotonicNow()): void {
    const history: History = this.#byLanguage.get(language) ?? { finals: [], interims: new Map() }
    this.#byLanguage.delete(language) // Moves the language to the end: the least recently used one is evicted first.
    this.#byLanguage.set(language, history)
    if (this.#byLanguage.size > MAX_LANGUAGES) this.#evictOldestLanguage()
    const stored = { segment, receivedAt: this.#clock.monotonicNow(), begunAt }
    const speaker = segment.speakerId ?? ''
    history.interims.delete(speaker)
    if (!segment.isFinal) {
      history.interims.set(speaker, stored)
      const [oldest] = history.interims.keys()
      if (oldest !== undefined && history.interims.size > MAX_SPEAKERS) history.interims.delete(oldest)
      return
    }
    history.finals.push(stored)
    this.#characters += segment.text.length
    this.#prune(history.finals)
    while (this.#characters > MAX_CHARACTERS) this.#evictOldestSegment()
  }

  /**
   * Returns the segments within a range whose language matches a tag, oldest first.
   * @param since speech that began before is left out; in milliseconds of the monotonic clock
   */
  read(
    language: string,
    { from, to }: TranscriptRange,
    since = Number.NEGATIVE_INFINITY,
  ): TranscriptSegment[] {
    const histories = [...this.#byLanguage].flatMap(([tag, history]) =>
      matchesLanguage(tag, language) ? [history] : [],
    )
    for (const { finals } of histories) this.#prune(finals)
    const all = [
      ...histories.flatMap(({ finals }) => finals),
      ...histories.flatMap(({ interims }) => [...interims.values()]),
    ]
    const oldest = this.#clock.monotonicNow() - RETENTION_MS
    const segments = all
      .filter(({ receivedAt, begunAt }) => receivedAt >= oldest && begunAt >= since)
      .map(({ segment }) => segment)
      .filter(({ timestamp }) => timestamp >= from && timestamp <= to)
    return histories.length > 1 ? segments.sort((a, b) => a.timestamp - b.timestamp) : segments
  }

  #evictOldestLanguage(): void {
    const [oldest] = this.#byLanguage
    if (!oldest) return
    this.#byLanguage.delete(oldest[0])
    this.#remove(oldest[1].finals, oldest[1].finals.length)
  }

  /** Removes the oldest final segment of the least recently used language. */
  #evictOldestSegment(): void {
    for (const { finals } of this.#byLanguage.values()) if (finals.length > 0) return this.#remove(finals, 1)
  }

  #prune(finals: StoredSegment[]): void {
    const oldest = this.#clock.monotonicNow() - RETENTION_MS
    const kept = finals.findIndex(({ receivedAt }) => receivedAt >= oldest)
    this.#remove(finals, kept < 0 ? finals.length : Math.max(kept, finals.length - MAX_SEGMENTS))
  }

  #remove(finals: StoredSegment[], count: number): void {
    for (const { segment } of finals.splice(0, count)) this.#characters -= segment.text.length
  }
}
