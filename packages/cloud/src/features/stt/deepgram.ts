import { isObject, languageCode } from '@glasses-cloud/contract'
import type { SpeechListener, SpeechOptions, SpeechStream } from '../../session/index.ts'
import type { Clock, Timer } from '../../time/index.ts'
import { numberOf, objectsOf, ProviderSocket } from './provider-socket.ts'
import { type SpeechToText, textOf } from './speech-to-text.ts'

const DEFAULT_URL = 'wss://api.deepgram.com/v1/listen'
const DEFAULT_MODEL = 'nova-3'
/** Language that detects and switches between languages. */
const DETECT = 'multi'
const FINALIZE_TIMEOUT_MS = 5_000
/** Deepgram closes a connection after 10 s without audio or a keep-alive. */
const KEEP_ALIVE = { intervalMs: 4_000, message: '{"type":"KeepAlive"}' }
/** Deepgram does not answer `Finalize` if it has no audio left to recognize, so it is not awaited longer, in ms. */
const FINALIZE_ANSWER_MS = 1_500
/** Deepgram returns results at least once in this much audio, in ms. */
const RESULT_INTERVAL_MS = 1_500
/** Tags that Deepgram distinguishes; of others the language alone is requested. */
const TAGS =
  'da-DK de-CH en-AU en-GB en-IN en-NZ en-US fr-CA ko-KR nl-BE pt-BR pt-PT sv-SE th-TH zh-CN zh-HK zh-TW'.split(
    ' ',
  )

export interface DeepgramOptions {
  readonly apiKey: string
  /** Its query parameters are kept, so that an operator can select further features. */
  readonly url: URL | undefined
  readonly model: string | undefined
  readonly clock: Clock
}

/** Deepgram, in its cloud or self-hosted. */
export function deepgram(options: DeepgramOptions): SpeechToText {
  return {
    name: 'deepgram',
    translates: false,
    finalizeTimeoutMs: FINALIZE_TIMEOUT_MS,
    // The service knows which languages its model supports.
    supports: () => true,
    open: (speech, listener) => new DeepgramStream(options, speech, listener),
  }
}

/** The final parts of the utterance in progress. */
interface Utterance {
  readonly id: string
  text: string
  startMs: number | undefined
  endMs: number
  confidence: number | undefined
  speakerId: string | undefined
  language: string | undefined
}

class DeepgramStream implements SpeechStream {
  readonly #socket: ProviderSocket
  readonly #listener: SpeechListener
  readonly #clock: Clock
  #count = 0
  #utterance: Utterance
  #finalizing = 0
  #finalizeTimer: Timer | undefined

  constructor(options: DeepgramOptions, speech: SpeechOptions, listener: SpeechListener) {
    this.#listener = listener
    this.#clock = options.clock
    this.#utterance = this.#newUtterance()
    this.#socket = new ProviderSocket({
      name: 'deepgram',
      url: listenUrl(options, speech),
      headers: { authorization: `Token ${options.apiKey}` },
      clock: options.clock,
      keepAlive: KEEP_ALIVE,
      respondsContinuously: true,
      onOpen: () => listener.ready(),
      onMessage: (message) => this.#onMessage(message),
      onFailed: (failure) => {
        this.#finalizeTimer?.cancel()
        listener.failed(failure)
      },
      rejectionKind: (status, reason) =>
        status === 400 && /language|model/i.test(reason) ? 'unsupported_language' : undefined,
    })
  }

  push(pcm: Uint8Array): void {
    this.#socket.sendAudio(pcm)
  }

  finalize(): void {
    this.#finalizing += 1
    this.#socket.sendJson({ type: 'Finalize' })
    this.#finalizeTimer ??= this.#awaitAnswer()
  }

  close(): void {
    this.#finalizeTimer?.cancel()
    this.#socket.close()
  }

  #onMessage(message: Record<string, unknown>): void {
    if (message.type === 'Error') this.#socket.fail('retryable', 'reported an error')
    if (message.type !== 'Results' || !isObject(message.channel)) return
    const [alternative = {}] = objectsOf(message.channel.alternatives)
    const start = numberOf(message.start) ?? 0
    const endMs = (start + (numberOf(message.duration) ?? 0)) * 1_000
    const text = textOf(alternative.transcript)
    const isFinal = message.is_final === true
    if (text !== '') this.#add(text, isFinal, start * 1_000, endMs, alternative)
    else if (isFinal) this.#utterance.endMs = Math.max(this.#utterance.endMs, endMs)
    if (message.from_finalize === true) this.#onFinalized()
    else if (message.speech_final === true) this.#flush()
  }

  /** Adds a part of the utterance; a part that is not final replaces the previous one of its kind. */
  #add(
    text: string,
    isFinal: boolean,
    startMs: number,
    endMs: number,
    alternative: Record<string, unknown>,
  ): void {
    const utterance = this.#utterance
    const joined = utterance.text === '' ? text : `${utterance.text} ${text}`
    const [firstWord] = objectsOf(alternative.words)
    const part = {
      startMs: utterance.startMs ?? (numberOf(firstWord?.start) ?? startMs / 1_000) * 1_000,
      endMs,
      confidence: numberOf(alternative.confidence),
      speakerId: firstWord?.speaker === undefined ? undefined : String(firstWord.speaker),
      language: firstLanguage(alternative.languages),
    }
    if (isFinal) Object.assign(utterance, part, { text: joined })
    this.#report({ ...utterance, ...part, text: joined }, false)
  }

  #flush(): void {
    const utterance = this.#utterance
    this.#utterance = this.#newUtterance()
    if (utterance.text !== '') this.#report(utterance, true)
  }

  #onFinalized(): void {
    this.#finalizeTimer?.cancel()
    this.#finalizeTimer = undefined
    this.#flush()
    if (this.#finalizing === 0) return
    this.#finalizing -= 1
    if (this.#finalizing > 0) this.#finalizeTimer = this.#awaitAnswer()
    this.#listener.finalized()
  }

  /** Takes a finalization for answered after a while, unless Deepgram has not recognized the audio before it. */
  #awaitAnswer(): Timer {
    return this.#clock.after(FINALIZE_ANSWER_MS, () => {
      if (this.#socket.unansweredMs < RESULT_INTERVAL_MS) this.#onFinalized()
      else this.#finalizeTimer = this.#awaitAnswer()
    })
  }

  #report(utterance: Utterance, isFinal: boolean): void {
    const { id, text, startMs, endMs, confidence, speakerId, language } = utterance
    this.#listener.segment({
      utteranceId: id,
      text: textOf(text),
      isFinal,
      startMs: startMs ?? endMs,
      endMs,
      ...(confidence === undefined ? {} : { confidence }),
      ...(speakerId === undefined ? {} : { speakerId }),
      ...(language === undefined ? {} : { language }),
    })
  }

  #newUtterance(): Utterance {
    this.#count += 1
    return {
      id: `u${this.#count}`,
      text: '',
      startMs: undefined,
      endMs: 0,
      confidence: undefined,
      speakerId: undefined,
      language: undefined,
    }
  }
}

function listenUrl({ url, model }: DeepgramOptions, { language }: SpeechOptions): URL {
  const address = new URL(url ?? DEFAULT_URL)
  const parameters: Record<string, string> = {
    model: model ?? DEFAULT_MODEL,
    language: language === 'auto' ? DETECT : TAGS.includes(language) ? language : languageCode(language),
    encoding: 'linear16',
    sample_rate: '16000',
    channels: '1',
    interim_results: 'true',
    smart_format: 'true',
    endpointing: '300',
  }
  for (const [name, value] of Object.entries(parameters))
    if (!address.searchParams.has(name)) address.searchParams.set(name, value)
  return address
}

function firstLanguage(languages: unknown): string | undefined {
  const [first] = Array.isArray(languages) ? languages : []
  return typeof first === 'string' ? first : undefined
}
