import { languageCode } from '@glasses-cloud/contract'
import type { SpeechListener, SpeechOptions, SpeechStream } from '../../session/index.ts'
import type { Clock } from '../../time/index.ts'
import { kindOfStatus, numberOf, objectsOf, ProviderSocket } from './provider-socket.ts'
import { type SpeechToText, textOf } from './speech-to-text.ts'

const DEFAULT_URL = 'wss://stt-rt.soniox.com/transcribe-websocket'
const MODEL = 'stt-rt-v5'
const FINALIZE_TIMEOUT_MS = 5_000
/** Soniox closes a connection after 20 s without audio or a keep-alive. */
const KEEP_ALIVE = { intervalMs: 8_000, message: '{"type":"keepalive"}' }
/** Tokens that mark the end of an utterance and of a finalization. */
const END_TOKEN = '<end>'
const FINALIZED_TOKEN = '<fin>'

export interface SonioxOptions {
  readonly apiKey: string
  readonly url: URL | undefined
  readonly clock: Clock
}

/** Soniox. Recognizes all its languages in one stream, distinguishes speakers, and translates to one language. */
export function soniox(options: SonioxOptions): SpeechToText {
  return {
    name: 'soniox',
    translates: true,
    finalizeTimeoutMs: FINALIZE_TIMEOUT_MS,
    supports: () => true,
    open: (speech, listener) => new SonioxStream(options, speech, listener),
  }
}

/** What is known of the utterance in progress: text in the language spoken, and its translation. */
interface Utterance {
  readonly id: string
  speaker: string | undefined
  text: string
  translation: string
  startMs: number | undefined
  endMs: number
  language: string | undefined
  confidences: number[]
}

class SonioxStream implements SpeechStream {
  readonly #socket: ProviderSocket
  readonly #listener: SpeechListener
  readonly #translates: boolean
  #count = 0
  #utterance: Utterance
  #finalizing = 0

  constructor({ apiKey, url, clock }: SonioxOptions, speech: SpeechOptions, listener: SpeechListener) {
    this.#listener = listener
    this.#translates = speech.translateTo !== undefined
    this.#utterance = this.#newUtterance(undefined)
    this.#socket = new ProviderSocket({
      name: 'soniox',
      url: url ?? DEFAULT_URL,
      headers: { authorization: `Bearer ${apiKey}` },
      clock,
      keepAlive: KEEP_ALIVE,
      respondsContinuously: true,
      onOpen: () => {
        this.#socket.sendJson(startRequest(speech))
        listener.ready()
      },
      onMessage: (message) => this.#onMessage(message),
      onFailed: (failure) => listener.failed(failure),
    })
  }

  push(pcm: Uint8Array): void {
    this.#socket.sendAudio(pcm)
  }

  finalize(): void {
    this.#finalizing += 1
    this.#socket.sendJson({ type: 'finalize' })
  }

  close(): void {
    this.#socket.close()
  }

  #onMessage(message: Record<string, unknown>): void {
    if (message.error_code !== undefined) return this.#onError(message)
    let interim = ''
    let interimTranslation = ''
    for (const token of objectsOf(message.tokens)) {
      const { text, translation_status: status } = token
      if (typeof text !== 'string') continue
      if (text === END_TOKEN || text === FINALIZED_TOKEN) {
        this.#flush()
        interim = ''
        interimTranslation = ''
        if (text === FINALIZED_TOKEN) this.#onFinalized()
      } else if (token.is_final !== true) {
        if (status === 'translation') interimTranslation += text
        else interim += text
      } else if (status === 'translation') this.#utterance.translation += text
      else this.#addFinalToken(text, token)
    }
    this.#reportInterim(interim, interimTranslation, numberOf(message.total_audio_proc_ms))
    if (message.finished === true) this.#socket.fail('expired', 'ended the session')
  }

  #addFinalToken(text: string, token: Record<string, unknown>): void {
    const speaker = typeof token.speaker === 'string' ? token.speaker : undefined
    // Each speaker has their own utterance.
    if (speaker !== this.#utterance.speaker && this.#utterance.text !== '') this.#flush()
    const utterance = this.#utterance
    utterance.speaker = speaker
    utterance.text += text
    utterance.startMs ??= numberOf(token.start_ms)
    utterance.endMs = Math.max(utterance.endMs, numberOf(token.end_ms) ?? 0)
    const confidence = numberOf(token.confidence)
    if (confidence !== undefined) utterance.confidences.push(confidence)
    if (typeof token.language === 'string') utterance.language = token.language
  }

  #reportInterim(interim: string, translation: string, processedMs: number | undefined): void {
    const utterance = this.#utterance
    const text = textOf(utterance.text + interim)
    if (text === '') return
    this.#report(utterance, {
      text,
      translation: utterance.translation + translation,
      isFinal: false,
      endMs: Math.max(utterance.endMs, processedMs ?? 0),
    })
  }

  /** Ends the utterance in progress with a final segment. */
  #flush(): void {
    const utterance = this.#utterance
    this.#utterance = this.#newUtterance(utterance.speaker)
    const text = textOf(utterance.text)
    if (text === '' && textOf(utterance.translation) === '') return
    this.#report(utterance, {
      text,
      translation: utterance.translation,
      isFinal: true,
      endMs: utterance.endMs,
    })
  }

  #report(
    { id, speaker, startMs, language, confidences }: Utterance,
    part: {
      readonly text: string
      readonly translation: string
      readonly isFinal: boolean
      readonly endMs: number
    },
  ): void {
    const { text, isFinal, endMs } = part
    const translation = textOf(part.translation)
    const sum = confidences.reduce((total, confidence) => total + confidence, 0)
    this.#listener.segment({
      utteranceId: id,
      text,
      isFinal,
      startMs: startMs ?? endMs,
      endMs,
      ...(speaker === undefined ? {} : { speakerId: speaker }),
      ...(language === undefined ? {} : { language }),
      ...(confidences.length === 0 ? {} : { confidence: sum / confidences.length }),
      ...(this.#translates && translation !== '' ? { translation } : {}),
    })
  }

  #onFinalized(): void {
    if (this.#finalizing === 0) return
    this.#finalizing -= 1
    this.#listener.finalized()
  }

  #onError(message: Record<string, unknown>): void {
    const status = numberOf(message.error_code) ?? 0
    const detail = typeof message.error_message === 'string' ? message.error_message : ''
    if (status === 400 && /language/i.test(detail))
      return this.#socket.fail('unsupported_language', 'does not support the language')
    // A session may end early with the request to start another one.
    if (status === 503 && /restart/i.test(detail)) return this.#socket.fail('expired', 'ended the session')
    const kind = kindOfStatus(status)
    const what = kind === 'authentication' ? 'rejects the key' : `reported the error ${status}`
    this.#socket.fail(kind, what)
  }

  #newUtterance(speaker: string | undefined): Utterance {
    this.#count += 1
    return {
      id: `u${this.#count}`,
      speaker,
      text: '',
      translation: '',
      startMs: undefined,
      endMs: 0,
      language: undefined,
      confidences: [],
    }
  }
}

function startRequest({ language, hints, identifiesLanguage, translateTo }: SpeechOptions): object {
  const isAuto = language === 'auto'
  const languages = [...new Set([...(isAuto ? [] : [language]), ...hints].map(languageCode))]
  return {
    model: MODEL,
    audio_format: 'pcm_s16le',
    sample_rate: 16_000,
    num_channels: 1,
    ...(languages.length === 0 ? {} : { language_hints: languages }),
    ...(isAuto || identifiesLanguage ? {} : { language_hints_strict: true }),
    enable_language_identification: isAuto || identifiesLanguage,
    enable_speaker_diarization: true,
    enable_endpoint_detection: true,
    ...(translateTo === undefined
      ? {}
      : { translation: { type: 'one_way', target_language: languageCode(translateTo) } }),
  }
}
