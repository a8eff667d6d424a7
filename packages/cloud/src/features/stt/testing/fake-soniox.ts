import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'
import { CodedRecognizer, type CodedWord } from '../../../session/testing/coded-speech.ts'
import { FakeConnection, type FakeSocketProvider, providerKey } from './fake-provider.ts'

const END = { text: '<end>', is_final: true }

/** Speaks the protocol of https://soniox.com/docs/stt/api-reference/websocket-api. Translations are in capitals. */
export class FakeSonioxConnection extends FakeConnection {
  readonly #socket: WebSocket
  readonly #recognizer = new CodedRecognizer()
  #isTranslating = false

  constructor(server: FakeSocketProvider, socket: WebSocket, request: IncomingMessage) {
    super(server)
    this.#socket = socket
    if (request.headers.authorization !== `Bearer ${providerKey}`) {
      this.#fail(401, 'Invalid API key.')
      return
    }
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) return this.hear(this.#recognizer, data)
      const message = JSON.parse(String(data))
      server.received.push(message)
      if (message.model !== undefined) this.#start(message)
      if (message.type === 'finalize' && server.fault !== 'stall') this.#finalize()
    })
  }

  onWords(words: readonly CodedWord[], ended: readonly (readonly CodedWord[])[]): void {
    const tokens = ended.flatMap((utterance) => [...this.#tokens(utterance, true), END])
    this.#send([...tokens, ...this.#tokens(words, false)])
  }

  sendGarbage(): void {
    this.#socket.send('these are no tokens')
  }

  endSession(): void {
    this.#fail(503, 'Cannot continue request (code 1). Please restart the request.')
  }

  break(): void {
    this.#socket.terminate()
  }

  #start({ language_hints: hints = [], translation }: Record<string, unknown>): void {
    this.#isTranslating = translation !== undefined
    if ((hints as string[]).includes('xx')) this.#fail(400, 'Unsupported language hint.')
  }

  #finalize(): void {
    this.#send([...this.#tokens(this.#recognizer.finish(), true), { text: '<fin>', is_final: true }])
  }

  #tokens(words: readonly CodedWord[], isFinal: boolean): object[] {
    const originals = words.map(({ text, startMs, endMs }) => ({
      text: ` ${text}`,
      start_ms: startMs,
      end_ms: endMs,
      confidence: 0.9,
      is_final: isFinal,
      speaker: '1',
      language: 'en',
      ...(this.#isTranslating ? { translation_status: 'original' } : {}),
    }))
    if (!this.#isTranslating) return originals
    const translations = words.map(({ text }) => ({
      text: ` ${text.toUpperCase()}`,
      confidence: 0.9,
      is_final: isFinal,
      translation_status: 'translation',
      language: 'de',
      source_language: 'en',
    }))
    return [...originals, ...translations]
  }

  #send(tokens: readonly object[]): void {
    const audioMs = this.#recognizer.audioMs
    const progress = { final_audio_proc_ms: audioMs, total_audio_proc_ms: audioMs }
    this.#socket.send(JSON.stringify({ tokens, ...progress }))
  }

  #fail(code: number, text: string): void {
    this.#socket.send(JSON.stringify({ error_code: code, error_message: text }))
    this.#socket.close(1000)
  }
}
