import type { WebSocket } from 'ws'
import { CodedRecognizer, type CodedWord } from '../../../session/testing/coded-speech.ts'
import { FakeConnection, type FakeSocketProvider, textOfWords } from './fake-provider.ts'

/** Speaks the protocol of https://developers.deepgram.com/reference/speech-to-text/listen-streaming. */
export class FakeDeepgramConnection extends FakeConnection {
  readonly #socket: WebSocket
  readonly #recognizer = new CodedRecognizer()
  /** Start of the audio that has no final result yet, in seconds. */
  #start = 0

  constructor(server: FakeSocketProvider, socket: WebSocket) {
    super(server)
    this.#socket = socket
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) return this.hear(this.#recognizer, data)
      const message = JSON.parse(String(data))
      server.received.push(message)
      if (message.type === 'Finalize' && server.fault !== 'stall') this.#finalize()
    })
  }

  onWords(words: readonly CodedWord[], ended: readonly (readonly CodedWord[])[]): void {
    for (const utterance of ended) this.#send(utterance, { is_final: true, speech_final: true })
    if (ended.length === 0) this.#send(words, { is_final: false, speech_final: false })
  }

  sendGarbage(): void {
    this.#socket.send('[1, 2]')
  }

  endSession(): void {
    this.#socket.close(1000)
  }

  break(): void {
    this.#socket.terminate()
  }

  #finalize(): void {
    const words = this.#recognizer.finish()
    // Without audio left to recognize, Deepgram may not answer.
    if (words.length > 0) this.#send(words, { is_final: true, speech_final: false, from_finalize: true })
  }

  #send(words: readonly CodedWord[], flags: Record<string, boolean>): void {
    const end = this.#recognizer.audioMs / 1_000
    const start = this.#start
    if (flags.is_final) this.#start = end
    const alternative = {
      transcript: textOfWords(words),
      confidence: words.length === 0 ? 0 : 0.9,
      words: words.map(({ text, startMs, endMs }) => ({
        word: text,
        start: startMs / 1_000,
        end: endMs / 1_000,
        confidence: 0.9,
      })),
    }
    const channel = { alternatives: [alternative] }
    this.#socket.send(
      JSON.stringify({
        type: 'Results',
        channel_index: [0, 1],
        start,
        duration: end - start,
        channel,
        ...flags,
      }),
    )
  }
}
