import type { Clock } from './clock.ts'

/** One piece of speech as `GET /api/transcripts` answers it. */
export interface TranscriptSegment {
  readonly resultId: string
  readonly speakerId?: string
  readonly text: string
  /** Epoch milliseconds. */
  readonly timestamp: number
  readonly isFinal: boolean
}

/** Which part of the history is asked for: epoch milliseconds, both ends included. */
export interface TranscriptRange {
  readonly from: number
  readonly to: number
}

/** What an app gets when it asks for the history: segments oldest first, or why it gets none. */
export type TranscriptAccess =
  | { readonly ok: true; readonly segments: readonly TranscriptSegment[] }
  | { readonly ok: false; readonly reason: 'not_running' | 'not_permitted' }

const KEPT_MS = 30 * 60_000
const KEPT_SEGMENTS = 5_000
const KEPT_LANGUAGES = 50
/** Characters a session keeps in all, far more than half an hour of talk. */
const KEPT_CHARACTERS = 1_000_000

interface History {
  readonly finals: TranscriptSegment[]
  interim: TranscriptSegment | undefined
}

/** What was said in a session, by language: finals and the trailing interim, half an hour of it (decision M3). */
export class Transcripts {
  readonly #clock: Clock
  readonly #byLanguage = new Map<string, History>()
  #characters = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Adds a result. A final ends the interim before it; an interim replaces it. */
  add(language: string, segment: TranscriptSegment): void {
    const history: History = this.#byLanguage.get(language) ?? { finals: [], interim: undefined }
    this.#byLanguage.delete(language) // so that the language spoken last stands last
    this.#byLanguage.set(language, history)
    if (this.#byLanguage.size > KEPT_LANGUAGES) this.#forgetOldestLanguage()
    history.interim = segment.isFinal ? undefined : segment
    if (!segment.isFinal) return
    history.finals.push(segment)
    this.#characters += segment.text.length
    this.#prune(history.finals)
    while (this.#characters > KEPT_CHARACTERS) this.#forgetOldest()
  }

  /** The segments of a language within a range, oldest first. */
  read(language: string, { from, to }: TranscriptRange): TranscriptSegment[] {
    const history = this.#byLanguage.get(language)
    if (!history) return []
    this.#prune(history.finals)
    const all = history.interim ? [...history.finals, history.interim] : history.finals
    const oldest = Math.max(from, this.#clock.now() - KEPT_MS)
    return all.filter(({ timestamp }) => timestamp >= oldest && timestamp <= to)
  }

  #forgetOldestLanguage(): void {
    const [oldest] = this.#byLanguage
    if (!oldest) return
    this.#byLanguage.delete(oldest[0])
    this.#drop(oldest[1].finals, oldest[1].finals.length)
  }

  /** The oldest final of the language not heard for longest. */
  #forgetOldest(): void {
    for (const { finals } of this.#byLanguage.values()) if (finals.length > 0) return this.#drop(finals, 1)
  }

  #prune(finals: TranscriptSegment[]): void {
    const oldest = this.#clock.now() - KEPT_MS
    const kept = finals.findIndex(({ timestamp }) => timestamp >= oldest)
    this.#drop(finals, kept < 0 ? finals.length : Math.max(kept, finals.length - KEPT_SEGMENTS))
  }

  #drop(finals: TranscriptSegment[], count: number): void {
    for (const { text } of finals.splice(0, count)) this.#characters -= text.length
  }
}
