import type { Socket } from 'node:net'
import { CodedRecognizer, type CodedWord } from '../../../session/testing/coded-speech.ts'
import { encodeEvent, WyomingDecoder, type WyomingEvent } from '../wyoming-events.ts'
import { FakeConnection, type FakeTcpProvider, textOfWords } from './fake-provider.ts'

/** Javanese as in Whisper. */
const LANGUAGES = ['en', 'es', 'jw']
const INFO = { asr: [{ name: 'fake', models: [{ name: 'coded', languages: LANGUAGES }] }] }

/**
 * Speaks the protocol of https://github.com/OHF-Voice/wyoming, with streamed transcripts. Like wyoming-faster-whisper,
 * closes the connection with the transcript.
 */
export class FakeWyomingConnection extends FakeConnection {
  readonly #socket: Socket
  readonly #recognizer = new CodedRecognizer()
  #words: CodedWord[] = []
  #reported = ''

  constructor(server: FakeTcpProvider, socket: Socket) {
    super(server)
    this.#socket = socket
    const decoder = new WyomingDecoder()
    socket.on('data', (chunk) => {
      for (const event of decoder.decode(chunk)) this.#handle(event)
    })
  }

  onWords(words: readonly CodedWord[], ended: readonly (readonly CodedWord[])[]): void {
    // The whole utterance is one transcript, with its pauses.
    this.#words.push(...ended.flat())
    const text = textOfWords([...this.#words, ...words])
    if (this.#reported === '' && text !== '') this.#send('transcript-start', {})
    if (text !== this.#reported) this.#send('transcript-chunk', { text: text.slice(this.#reported.length) })
    this.#reported = text
  }

  sendGarbage(): void {
    this.#socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')
  }

  endSession(): void {
    this.#socket.end()
  }

  break(): void {
    this.#socket.resetAndDestroy()
  }

  #handle({ type, data, payload }: WyomingEvent): void {
    if (type === 'describe') this.#send('info', INFO)
    else if (type === 'transcribe' && !LANGUAGES.includes(String(data.language))) this.#send('error', {})
    else if (type === 'audio-chunk') this.hear(this.#recognizer, payload)
    else if (type === 'audio-stop' && this.server.fault !== 'stall') {
      this.#send('transcript', { text: textOfWords([...this.#words, ...this.#recognizer.finish()]) })
      this.#send('transcript-stop', {})
      this.#socket.end()
    }
  }

  #send(type: string, data: Record<string, unknown>): void {
    if (this.#socket.writable) this.#socket.write(encodeEvent(type, data))
  }
}
