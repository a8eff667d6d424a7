import type { WebSocket } from 'ws'
import { CodedRecognizer, type CodedWord } from '../../../session/testing/coded-speech.ts'
import { FakeConnection, type FakeSocketProvider, textOfWords } from './fake-provider.ts'

/** Speaks the protocol of https://alphacephei.com/vosk/server. */
export class FakeVoskConnection extends FakeConnection {
  readonly #socket: WebSocket
  readonly #recognizer = new CodedRecognizer()

  constructor(server: FakeSocketProvider, socket: WebSocket) {
    super(server)
    this.#socket = socket
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) return this.hear(this.#recognizer, data)
      const text = String(data)
      if (text !== '{"eof" : 1}') server.received.push(JSON.parse(text))
      else if (server.fault !== 'stall') {
        this.#sendResult(this.#recognizer.finish())
        socket.close(1000)
      }
    })
  }

  onWords(words: readonly CodedWord[], ended: readonly (readonly CodedWord[])[]): void {
    // Every message has one answer.
    if (ended.length > 0) this.#sendResult(ended.flat())
    else this.#socket.send(JSON.stringify({ partial: textOfWords(words) }))
  }

  sendGarbage(): void {
    this.#socket.send('<html>')
  }

  endSession(): void {
    this.#socket.close(1001)
  }

  break(): void {
    this.#socket.terminate()
  }

  #sendResult(words: readonly CodedWord[]): void {
    const result = words.map(({ text, startMs, endMs }) => ({
      conf: 0.9,
      start: startMs / 1_000,
      end: endMs / 1_000,
      word: text,
    }))
    this.#socket.send(JSON.stringify({ ...(result.length > 0 ? { result } : {}), text: textOfWords(words) }))
  }
}
