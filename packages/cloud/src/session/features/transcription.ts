import { type GlassesToCloud, grants } from '@glasses-cloud/contract'
import { type TranscriptAccess, type TranscriptRange, Transcripts } from '../transcripts.ts'
import type { GlassesHandlers, SessionContext } from './feature.ts'

/** A result of speech recognition by the phone or a speech-to-text provider. */
export interface TranscriptionResult {
  readonly language: string
  /** Of an interim result: the utterance so far; of a final one: the whole utterance. */
  readonly text: string
  readonly isFinal: boolean
  /** Epoch milliseconds; default: the time of arrival. */
  readonly startTime?: number
  readonly endTime?: number
  readonly speakerId?: string
  readonly provider: string
}

/** Utterances in progress, over all speakers and languages. */
const MAX_UTTERANCES = 64

/**
 * Adds results of speech recognition to the transcript and relays them to the subscribers of their language. An
 * utterance keeps its id and start time from its first interim result to its final one (SPK-3).
 */
export class Transcription {
  readonly #context: SessionContext
  readonly #transcripts: Transcripts
  readonly #utterances = new Map<string, { id: string; startTime: number }>()
  static readonly glassesHandlers: GlassesHandlers<Transcription> = {
    local_transcription: (feature, message) => feature.#fromPhone(message),
    VAD: (feature, message) => feature.#publishVoiceActivity(message),
    vad: (feature, message) => feature.#publishVoiceActivity(message),
  }

  constructor(context: SessionContext) {
    this.#context = context
    this.#transcripts = new Transcripts(context.clock)
  }

  /** Returns the transcript of a language to an app that has an app session and the permission `MICROPHONE`. */
  transcripts(packageName: string, language: string, range: TranscriptRange): TranscriptAccess {
    const session = this.#context.apps.get(packageName)
    if (!session) return { ok: false, reason: 'not_running' }
    if (!grants(session.definition?.permissions ?? [], 'MICROPHONE'))
      return { ok: false, reason: 'not_permitted' }
    return { ok: true, segments: this.#transcripts.read(language, range) }
  }

  addResult(result: TranscriptionResult): void {
    const { language, text, isFinal, speakerId, provider } = result
    const now = this.#context.clock.now()
    const utterance = this.#currentUtterance(result, now)
    const speaker = speakerId === undefined ? {} : { speakerId }
    this.#transcripts.add(language, { resultId: utterance.id, text, timestamp: now, isFinal, ...speaker })
    const endTime = result.endTime ?? now
    this.#context.publish(
      'transcription',
      { language },
      {
        type: 'transcription',
        text,
        isFinal,
        utteranceId: utterance.id,
        transcribeLanguage: language,
        detectedLanguage: language,
        startTime: utterance.startTime,
        endTime,
        ...speaker,
        duration: Math.max(0, endTime - utterance.startTime),
        provider,
      },
    )
  }

  #publishVoiceActivity(message: object): void {
    this.#context.publish('VAD', {}, { ...message, type: 'VAD' })
  }

  #fromPhone(message: Extract<GlassesToCloud, { type: 'local_transcription' }>): void {
    const { text, isFinal, startTime, endTime, speakerId } = message
    this.addResult({
      // Android phones send `language` (glasses-socket.md §7).
      language: message.transcribeLanguage ?? message.language ?? 'en-US',
      text,
      isFinal,
      provider: message.provider ?? 'phone',
      ...(startTime === undefined ? {} : { startTime }),
      ...(endTime === undefined ? {} : { endTime }),
      ...(speakerId === undefined ? {} : { speakerId: String(speakerId) }),
    })
  }

  /** The utterance in progress of the speaker and language; a final result ends it. */
  #currentUtterance({ language, speakerId, isFinal, startTime }: TranscriptionResult, now: number) {
    const key = `${language} ${speakerId ?? ''}`
    const utterance = this.#utterances.get(key) ?? {
      id: this.#context.createId(),
      startTime: startTime ?? now,
    }
    if (isFinal) this.#utterances.delete(key)
    else this.#utterances.set(key, utterance)
    if (this.#utterances.size > MAX_UTTERANCES) this.#utterances.clear()
    return utterance
  }
}
