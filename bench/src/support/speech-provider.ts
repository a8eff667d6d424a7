import { EventEmitter, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

/** A real provider answers about ten times a second: with every fifth frame of 20 ms. */
const FRAMES_PER_ANSWER = 5

/** Answers audio with words, in the protocol of Deepgram. */
export class SpeechProvider {
  /** When each word was sent, by its text. */
  readonly sentAt = new Map<string, number>()
  #server: WebSocketServer | undefined
  #words = 0
  readonly #events = new EventEmitter()

  /** The settings of a cloud that uses this provider. */
  async listen(): Promise<Record<string, string>> {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
    this.#server = server
    await once(server, 'listening')
    server.on('connection', (socket) => {
      this.#serve(socket)
      this.#events.emit('connection')
    })
    const { port } = server.address() as AddressInfo
    return {
      STT_PROVIDERS: 'deepgram',
      DEEPGRAM_API_KEY: 'bench',
      DEEPGRAM_URL: `ws://127.0.0.1:${port}/v1/listen`,
    }
  }

  /** Resolves when this many streams are open. */
  async waitForStreams(count: number): Promise<void> {
    while ((this.#server?.clients.size ?? 0) < count) await once(this.#events, 'connection')
  }

  close(): void {
    for (const client of this.#server?.clients ?? []) client.terminate()
    this.#server?.close()
  }

  #serve(socket: WebSocket): void {
    let frames = 0
    let text = ''
    const answer = (flags: Record<string, boolean>) => {
      const end = frames * 0.02
      const channel = { alternatives: [{ transcript: text, confidence: 0.9, words: [] }] }
      socket.send(JSON.stringify({ type: 'Results', start: 0, duration: end, channel, ...flags }))
    }
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) {
        if (!data.includes('Finalize')) return
        answer({ is_final: true, speech_final: false, from_finalize: true })
        text = ''
        return
      }
      frames += 1
      if (frames % FRAMES_PER_ANSWER !== 0) return
      this.#words += 1
      text = `${text.split(' ').slice(-10).join(' ')} word${this.#words}`.trim()
      this.sentAt.set(`word${this.#words}`, performance.now())
      answer({ is_final: false, speech_final: false })
    })
  }
}
