import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'
import { CodedRecognizer, type CodedWord } from '../../../session/testing/coded-speech.ts'
import { FakeConnection, type FakeSocketProvider, providerKey, textOfWords } from './fake-provider.ts'

/** 100 ms of 24 kHz, less than which cannot be committed. */
const MIN_COMMIT_BYTES = 4_800

/** Speaks the protocol of https://developers.openai.com/api/docs/guides/realtime-transcription. */
export class FakeOpenAiConnection extends FakeConnection {
  readonly #socket: WebSocket
  readonly #recognizer = new CodedRecognizer(24_000)
  #turn: CodedWord[] = []
  #items = 1
  #bytes = 0
  #reported = ''

  constructor(server: FakeSocketProvider, socket: WebSocket, request: IncomingMessage) {
    super(server)
    this.#socket = socket
    this.#send({ type: 'session.created', session: { type: 'transcription' } })
    if (request.headers.authorization !== `Bearer ${providerKey}`) {
      this.#fail('invalid_api_key')
      return
    }
    socket.on('message', (data: Buffer) => this.#handle(JSON.parse(String(data)), server))
  }

  onWords(words: readonly CodedWord[], ended: readonly (readonly CodedWord[])[]): void {
    // Only a commit ends a turn.
    this.#turn.push(...ended.flat())
    const text = textOfWords([...this.#turn, ...words])
    if (text === this.#reported) return
    const delta = text.slice(this.#reported.length)
    this.#reported = text
    const type = 'conversation.item.input_audio_transcription.delta'
    this.#send({ type, item_id: `item${this.#items}`, content_index: 0, delta })
  }

  sendGarbage(): void {
    this.#socket.send('null')
  }

  endSession(): void {
    this.#fail('session_expired')
  }

  break(): void {
    this.#socket.terminate()
  }

  #handle(message: Record<string, unknown>, server: FakeSocketProvider): void {
    if (message.type === 'input_audio_buffer.append') {
      const pcm = Buffer.from(String(message.audio), 'base64')
      this.#bytes += pcm.byteLength
      return this.hear(this.#recognizer, pcm)
    }
    server.received.push(message)
    if (server.fault === 'stall') return
    if (message.type === 'session.update') this.#send({ type: 'session.updated', session: message.session })
    else if (message.type === 'input_audio_buffer.commit') this.#commit()
  }

  #commit(): void {
    if (this.#bytes < MIN_COMMIT_BYTES) return this.#sendError('input_audio_buffer_commit_empty')
    const item = `item${this.#items}`
    this.#items += 1
    this.#bytes = 0
    this.#reported = ''
    this.#send({ type: 'input_audio_buffer.committed', item_id: item, previous_item_id: null })
    this.#send({
      type: 'conversation.item.input_audio_transcription.completed',
      item_id: item,
      content_index: 0,
      transcript: textOfWords([...this.#turn.splice(0), ...this.#recognizer.finish()]),
    })
  }

  #fail(code: string): void {
    this.#sendError(code)
    this.#socket.close(1000)
  }

  #sendError(code: string): void {
    this.#send({ type: 'error', error: { type: 'invalid_request_error', code, message: `Error ${code}` } })
  }

  #send(message: object): void {
    this.#socket.send(JSON.stringify(message))
  }
}
