import type { StreamFacets } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { command } from '../command.ts'
import { LazyMap } from '../lazy-collections.ts'
import {
  type TranscriptAccess,
  type TranscriptRange,
  Transcripts,
  transcriptAccess,
  transcriptRange,
} from '../transcripts.ts'
import type { SessionContext } from './part.ts'

/** A result of speech recognition by the phone or a speech-to-text provider. */
export interface TranscriptionResult {
  readonly language: string
  readonly detectedLanguage?: string
  /** Of an interim result: the utterance so far; of a final one: the whole utterance. */
  readonly text: string
  readonly isFinal: boolean
  /** Epoch milliseconds; default: the time of arrival. */
  readonly startTime?: number
  readonly endTime?: number
  /** When the speech began, in epoch milliseconds of the cloud; default: the time of arrival. */
  readonly begunAt?: number
  readonly speakerId?: string
  /** 0 to 1. */
  readonly confidence?: number
  readonly provider: string
}

/** Where a result belongs; by default to all subscribers and the transcript of its language. */
export interface ResultRoute {
  /** The subscriptions that receive it, as sets that do not overlap. */
  readonly facets: readonly StreamFacets[]
  /** The transcript that it is added to, if any. */
  readonly transcript: string | undefined
}

/** The utterance of a result: its id and times, as published. */
export interface UtteranceTimes {
  readonly utteranceId: string
  readonly startTime: number
  readonly endTime: number
  /** When it began, in milliseconds of the monotonic clock. */
  readonly begunAt: number
}

interface Utterance {
  readonly id: string
  readonly startTime: number
  readonly begunAt: number
}

/** Utterances in progress, over all speakers and languages. */
const MAX_UTTERANCES = 64

/**
 * Adds results of speech recognition to the transcript and relays them to the subscribers of their language. An
 * utterance keeps its id and start time from its first interim result to its final one (SPK-3).
 */
export class Transcription {
  static readonly commands = {
    /** Returns the transcript of a language to an app in the session. */
    transcripts: command(
      [Type.String(), Type.String(), transcriptRange],
      transcriptAccess,
      (transcription: Transcription, packageName, language, range) =>
        transcription.transcripts(packageName, language, range),
    ),
  }

  readonly #context: SessionContext
  readonly #transcripts: Transcripts
  readonly #utterances = new LazyMap<string, Utterance>()

  constructor(context: SessionContext) {
    this.#context = context
    this.#transcripts = new Transcripts(context.clock)
  }

  /**
   * Returns the transcript of a language to an app that has an app session and the permission `MICROPHONE`, from when on
   * it has the permission.
   */
  transcripts(packageName: string, language: string, range: TranscriptRange): TranscriptAccess {
    const session = this.#context.apps.get(packageName)
    if (!session) return { ok: false, reason: 'not_running' }
    const since = session.permittedSince('MICROPHONE')
    if (since === Number.POSITIVE_INFINITY) return { ok: false, reason: 'not_permitted' }
    return { ok: true, segments: this.#transcripts.read(language, range, since) }
  }

  addResult(
    result: TranscriptionResult,
    route: ResultRoute = { facets: [{ language: result.language }], transcript: result.language },
  ): UtteranceTimes {
    const { language, detectedLanguage = language, text, isFinal, provider } = result
    const now = this.#context.clock.now()
    const { id, startTime, begunAt } = this.#currentUtterance(result, route, now)
    const speaker = result.speakerId === undefined ? {} : { speakerId: result.speakerId }
    if (route.transcript !== undefined)
      this.#transcripts.add(
        route.transcript,
        { resultId: id, text, timestamp: now, isFinal, ...speaker },
        begunAt,
      )
    const endTime = result.endTime ?? now
    const frame = {
      type: 'transcription',
      text,
      isFinal,
      utteranceId: id,
      detectedLanguage,
      startTime,
      endTime,
      ...speaker,
      duration: Math.max(0, endTime - startTime),
      provider,
      ...(result.confidence === undefined ? {} : { confidence: result.confidence }),
    }
    for (const facets of route.facets) {
      // The language that was asked for, of which a phone may not know the region.
      const { source = 'auto' } = facets
      const transcribeLanguage = source === 'auto' ? language : source
      this.#context.publish('transcription', facets, { ...frame, transcribeLanguage }, id, begunAt)
    }
    return { utteranceId: id, startTime, endTime, begunAt }
  }

  /** Converts a time in epoch milliseconds, which is not in the future, to the monotonic clock. */
  toMonotonic(at: number): number {
    const { clock } = this.#context
    return clock.monotonicNow() - Math.max(0, clock.now() - at)
  }

  /** The utterance in progress of the speaker and language; a final result ends it. */
  #currentUtterance(
    { language, speakerId, isFinal, startTime, begunAt }: TranscriptionResult,
    { facets }: ResultRoute,
    now: number,
  ): Utterance {
    const [{ language: spoken, source } = {}] = facets
    const key = `${spoken ?? source ?? language} ${speakerId ?? ''}`
    const utterance = this.#utterances.get(key) ?? {
      id: this.#context.createId(),
      startTime: startTime ?? now,
      begunAt: this.toMonotonic(begunAt ?? now),
    }
    if (isFinal) this.#utterances.delete(key)
    else this.#utterances.set(key, utterance)
    if (this.#utterances.size > MAX_UTTERANCES) this.#utterances.clear()
    return utterance
  }
}
