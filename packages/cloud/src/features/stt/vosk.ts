import { languageCode } from '@glasses-cloud/contract'
import type { SpeechOptions } from '../../session/index.ts'
import type { Clock } from '../../time/index.ts'
import { numberOf, objectsOf, ProviderSocket } from './provider-socket.ts'
import { type SpeechToText, textOf } from './speech-to-text.ts'
import {
  type UtteranceConnection,
  type UtteranceEvents,
  type UtteranceSegment,
  UtteranceStream,
} from './utterance-stream.ts'

const FINALIZE_TIMEOUT_MS = 5_000
/** Compared by the server as it is written, with its space. */
const END_OF_AUDIO = '{"eof" : 1}'

export interface VoskOptions {
  readonly url: URL
  /** Languages of the model of the server; empty: any. */
  readonly languages: readonly string[]
  readonly clock: Clock
}

/** A server of the Vosk project. It recognizes the language of its model. */
export function vosk({ url, languages, clock }: VoskOptions): SpeechToText {
  const codes = languages.map(languageCode)
  const isSupported = (code: string) => codes.length === 0 || codes.includes(code)
  return {
    name: 'vosk',
    translates: false,
    finalizeTimeoutMs: FINALIZE_TIMEOUT_MS,
    supports: (language) => language !== 'auto' && isSupported(languageCode(language)),
    // The end of the audio is the only way to request its text at once, and ends the connection.
    open: (speech, listener) =>
      new UtteranceStream('vosk', (events) => new VoskUtterance(url, clock, speech, events), listener),
  }
}

class VoskUtterance implements UtteranceConnection {
  readonly #socket: ProviderSocket
  readonly #events: UtteranceEvents
  readonly #language: string
  readonly #waiting: Uint8Array[] = []
  #waitingBytes = 0
  /** Messages that the server has not answered. */
  #unanswered = 0
  #isOpen = false
  #isStopped = false
  #isClosed = false

  constructor(url: URL, clock: Clock, { language }: SpeechOptions, events: UtteranceEvents) {
    this.#events = events
    this.#language = language
    this.#socket = new ProviderSocket({
      name: 'vosk',
      url,
      clock,
      respondsContinuously: true,
      onOpen: () => this.#onOpen(),
      onMessage: (message) => this.#onMessage(message),
      onFailed: (failure) => {
        if (this.#isClosed) return
        // The server answers every message, and closes the connection after the answer to the end of the audio.
        if (this.#isStopped && this.#unanswered === 0) events.onComplete()
        else events.onFailed(failure)
      },
    })
  }

  get waitingBytes(): number {
    return this.#waitingBytes
  }

  send(pcm: Uint8Array): void {
    if (this.#isOpen) return this.#sendAudio(pcm)
    this.#waiting.push(pcm)
    this.#waitingBytes += pcm.byteLength
  }

  stop(): void {
    this.#isStopped = true
    if (this.#isOpen) this.#sendEnd()
  }

  close(): void {
    this.#isClosed = true
    this.#socket.close()
  }

  #onOpen(): void {
    this.#isOpen = true
    this.#socket.sendJson({ config: { sample_rate: 16_000, words: true } })
    for (const pcm of this.#waiting.splice(0)) this.#sendAudio(pcm)
    this.#waitingBytes = 0
    if (this.#isStopped) this.#sendEnd()
    this.#events.onReady()
  }

  #sendAudio(pcm: Uint8Array): void {
    this.#unanswered += 1
    this.#socket.sendAudio(pcm)
  }

  #sendEnd(): void {
    this.#unanswered += 1
    this.#socket.sendText(END_OF_AUDIO)
  }

  #onMessage(message: Record<string, unknown>): void {
    this.#unanswered -= 1
    if (typeof message.partial === 'string') {
      if (message.partial !== '') this.#events.onSegment({ text: textOf(message.partial), isFinal: false })
      return
    }
    if (typeof message.text !== 'string') return
    if (message.text !== '') this.#events.onSegment(this.#finalSegment(message))
  }

  #finalSegment(message: Record<string, unknown>): UtteranceSegment {
    const words = objectsOf(message.result)
    const start = numberOf(words[0]?.start)
    const end = numberOf(words.at(-1)?.end)
    const confidences = words.flatMap(({ conf }) => numberOf(conf) ?? [])
    const sum = confidences.reduce((total, confidence) => total + confidence, 0)
    return {
      text: textOf(message.text),
      isFinal: true,
      language: this.#language,
      ...(start === undefined ? {} : { startMs: start * 1_000 }),
      ...(end === undefined ? {} : { endMs: end * 1_000 }),
      ...(confidences.length === 0 ? {} : { confidence: sum / confidences.length }),
    }
  }
}
