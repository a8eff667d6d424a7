import { type GlassesToCloud, grants } from '@glasses-cloud/contract'
import { type TranscriptAccess, type TranscriptRange, Transcripts } from '../transcripts.ts'
import type { GlassesHandlers, SessionContext } from './feature.ts'

/** A result of speech recognition, whoever made it: the phone, or a speech provider. */
export interface TranscriptionResult {
  readonly language: string
  /** Cumulative for the utterance while interim; the whole utterance when final. */
  readonly text: string
  readonly isFinal: boolean
  /** Epoch milliseconds; the time of arrival where the recogniser does not say. */
  readonly startTime?: number
  readonly endTime?: number
  readonly speakerId?: string
  readonly provider: string
}

/**
 * Takes results of speech recognition: files them in the history and relays them to the apps that listen to their
 * language. An utterance keeps one id and one start from its first interim to its final.
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

  /**
   * What was said in a language within a range, for an app: it must have a session here, if only until it has
   * stopped, and may use the microphone.
   */
  transcripts(packageName: string, language: string, range: TranscriptRange): TranscriptAccess {
    const session = this.#context.apps.get(packageName)
    if (!session) return { ok: false, reason: 'not_running' }
    if (!grants(session.app?.permissions ?? [], 'MICROPHONE')) return { ok: false, reason: 'not_permitted' }
    return { ok: true, segments: this.#transcripts.read(language, range) }
  }

  /** A recogniser understood something. */
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
      // Android phones say `language`.
      language: message.transcribeLanguage ?? message.language ?? 'en-US',
      text,
      isFinal,
      provider: message.provider ?? 'phone',
      ...(startTime === undefined ? {} : { startTime }),
      ...(endTime === undefined ? {} : { endTime }),
      ...(speakerId === undefined ? {} : { speakerId: String(speakerId) }),
    })
  }

  /** The utterance of each speaker and language under way; a final ends it. */
  #currentUtterance({ language, speakerId, isFinal, startTime }: TranscriptionResult, now: number) {
    const key = `${language} ${speakerId ?? ''}`
    const utterance = this.#utterances.get(key) ?? {
      id: this.#context.createId(),
      startTime: startTime ?? now,
    }
    if (isFinal) this.#utterances.delete(key)
    else this.#utterances.set(key, utterance)
    if (this.#utterances.size > 64) this.#utterances.clear()
    return utterance
  }
}
