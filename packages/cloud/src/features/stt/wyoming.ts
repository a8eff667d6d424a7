import { connect, type Socket } from 'node:net'
import { findLanguage, languageCode } from '@glasses-cloud/contract'
import type { SpeechFailure, SpeechOptions } from '../../session/index.ts'
import { objectsOf } from './provider-socket.ts'
import { type SpeechToText, textOf } from './speech-to-text.ts'
import { type UtteranceConnection, type UtteranceEvents, UtteranceStream } from './utterance-stream.ts'
import { encodeEvent, WyomingDecoder, type WyomingEvent } from './wyoming-events.ts'

const DEFAULT_PORT = 10_300
const AUDIO_FORMAT = { rate: 16_000, width: 2, channels: 1 }
/** A model on a small machine may need this long for an utterance of maximum length. */
const FINALIZE_TIMEOUT_MS = 20_000

/** A speech-to-text server with the Wyoming protocol, such as wyoming-faster-whisper. */
export function wyoming({ url }: { readonly url: URL }): SpeechToText {
  const server: WyomingServer = {
    // IPv6 addresses are in brackets in a URL.
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    languages: [],
  }
  return {
    name: 'wyoming',
    translates: false,
    finalizeTimeoutMs: FINALIZE_TIMEOUT_MS,
    // Which languages the server supports is in its `info`.
    supports: () => true,
    // Some servers close the connection with the transcript, so each utterance has its own.
    open: (speech, listener) =>
      new UtteranceStream(
        'wyoming',
        (events, isFirst) => new WyomingUtterance(server, speech, events, isFirst),
        listener,
      ),
  }
}

interface WyomingServer {
  readonly host: string
  readonly port: number
  /** Its codes of languages, such as `jw`, once it has listed them. */
  languages: readonly string[]
}

class WyomingUtterance implements UtteranceConnection {
  readonly #server: WyomingServer
  readonly #options: SpeechOptions
  readonly #events: UtteranceEvents
  readonly #socket: Socket
  readonly #decoder = new WyomingDecoder()
  #text = ''
  #hasStarted = false
  #isStopped = false
  #isClosed = false
  #problem = 'closed the connection'

  constructor(server: WyomingServer, options: SpeechOptions, events: UtteranceEvents, isFirst: boolean) {
    this.#server = server
    this.#options = options
    this.#events = events
    const socket = connect({ host: server.host, port: server.port })
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk) => this.#receive(chunk))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#problem = `cannot be reached (${error.code ?? 'error'})`
    })
    socket.on('close', () => this.#fail('retryable', this.#problem))
    if (isFirst) this.#write(encodeEvent('describe'))
  }

  get waitingBytes(): number {
    return this.#socket.writableLength
  }

  send(pcm: Uint8Array): void {
    if (!this.#hasStarted) {
      this.#hasStarted = true
      const { language } = this.#options
      const code = findLanguage(language, this.#server.languages) ?? languageCode(language)
      this.#write(encodeEvent('transcribe', language === 'auto' ? {} : { language: code }))
      this.#write(encodeEvent('audio-start', AUDIO_FORMAT))
    }
    this.#write(encodeEvent('audio-chunk', AUDIO_FORMAT, pcm))
  }

  stop(): void {
    this.#isStopped = true
    this.#write(encodeEvent('audio-stop'))
  }

  close(): void {
    this.#isClosed = true
    this.#socket.destroy()
  }

  #receive(chunk: Buffer): void {
    try {
      for (const event of this.#decoder.decode(chunk)) if (!this.#isClosed) this.#onEvent(event)
    } catch {
      this.#fail('retryable', 'sent something else than Wyoming events')
    }
  }

  #onEvent({ type, data }: WyomingEvent): void {
    if (type === 'info') this.#onInfo(data)
    else if (type === 'error') this.#fail('retryable', 'reported an error')
    else if (type === 'transcript-chunk') {
      this.#text += typeof data.text === 'string' ? data.text : ''
      this.#events.onSegment({ text: textOf(this.#text), isFinal: false })
    } else if (type === 'transcript') {
      const language = typeof data.language === 'string' ? { language: data.language } : {}
      // Before `audio-stop` a transcript is incomplete.
      this.#events.onSegment({ text: textOf(data.text), isFinal: this.#isStopped, ...language })
      if (this.#isStopped) this.#events.onComplete()
    }
  }

  #onInfo(info: WyomingEvent['data']): void {
    const models = objectsOf(info.asr).flatMap((program) => objectsOf(program.models))
    if (models.length === 0) return this.#fail('retryable', 'offers no speech recognition')
    const languages = models.flatMap((model) =>
      Array.isArray(model.languages) ? model.languages.map(String) : [],
    )
    this.#server.languages = languages
    const { language } = this.#options
    const isSupported =
      language === 'auto' ||
      languages.length === 0 ||
      languages.map(languageCode).includes(languageCode(language))
    if (isSupported) this.#events.onReady()
    else this.#fail('unsupported_language', `has no model for ${language}`)
  }

  #fail(kind: SpeechFailure['kind'], what: string): void {
    if (this.#isClosed) return
    this.close()
    this.#events.onFailed({ kind, message: `wyoming ${what}` })
  }

  #write(event: Buffer): void {
    if (!this.#socket.destroyed) this.#socket.write(event)
  }
}
