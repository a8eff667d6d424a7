import { EventEmitter, once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { CodedRecognizer, CodedWord } from '../../../session/testing/coded-speech.ts'

/** The key that the fake providers accept. */
export const providerKey = 'key-of-the-test'

/**
 * How a fake provider misbehaves, on new and on open connections:
 * - `drop`: breaks the connection after the next word, without an answer
 * - `stall`: accepts audio and does not respond any more
 * - `garbage`: answers with something else than its protocol
 * - `cap`: ends the session as at its maximum length, at the next audio
 * - `unauthorized`, `exhausted`: rejects the handshake with 401 or 429
 * - `slow`: accepts connections only when the fault ends
 */
export type Fault = 'drop' | 'stall' | 'garbage' | 'cap' | 'unauthorized' | 'exhausted' | 'slow'

/** The server's side of a connection, which recognizes coded speech. */
export abstract class FakeConnection {
  readonly server: FakeProvider
  #heardWords = 0

  constructor(server: FakeProvider) {
    this.server = server
  }

  /** Sends what is not of the protocol. */
  abstract sendGarbage(): void
  /** Ends the session as at its maximum length. */
  abstract endSession(): void
  /** Breaks the connection. */
  abstract break(): void
  abstract onWords(words: readonly CodedWord[], ended: readonly (readonly CodedWord[])[]): void

  /** Recognizes audio, unless the provider misbehaves. */
  hear(recognizer: CodedRecognizer, pcm: Uint8Array): void {
    const { words, ended } = recognizer.push(pcm)
    const { server } = this
    server.receivedBytes += pcm.byteLength
    const isNewWord = words.length + ended.flat().length > this.#heardWords
    this.#heardWords = words.length
    switch (server.fault) {
      case 'stall':
        return
      case 'garbage':
        return this.sendGarbage()
      case 'cap':
        server.fault = undefined
        return this.endSession()
      case 'drop':
        if (!isNewWord) return this.onWords(words, ended)
        server.fault = undefined
        return this.break()
    }
    this.onWords(words, ended)
  }
}

/** A provider on this machine that speaks a documented protocol and recognizes coded speech. */
export abstract class FakeProvider {
  /** Open connections. */
  connections = 0
  /** Connections so far. */
  opened = 0
  receivedBytes = 0
  port = 0
  readonly #events = new EventEmitter<{ closed: []; faultEnded: [] }>()
  #fault: Fault | undefined

  get fault(): Fault | undefined {
    return this.#fault
  }

  set fault(fault: Fault | undefined) {
    this.#fault = fault
    if (fault === undefined) this.#events.emit('faultEnded')
  }

  abstract close(): Promise<void>

  /** Resolves when no connection is open. */
  async idle(): Promise<void> {
    while (this.connections > 0) await once(this.#events, 'closed', { signal: AbortSignal.timeout(20_000) })
  }

  /** Resolves when connections are accepted. */
  protected async accept(): Promise<void> {
    if (this.#fault === 'slow') await once(this.#events, 'faultEnded')
  }

  protected track(socket: { on(event: 'close', listener: () => void): unknown }): void {
    this.connections += 1
    this.opened += 1
    socket.on('close', () => {
      this.connections -= 1
      this.#events.emit('closed')
    })
  }
}

interface Scope {
  after(undo: () => unknown): void
}

/** A provider with a WebSocket protocol. */
export class FakeSocketProvider extends FakeProvider {
  /** The last handshake. */
  request: IncomingMessage | undefined
  /** The control messages that were received. */
  readonly received: Record<string, unknown>[] = []
  readonly #server = createHttpServer()
  readonly #sockets = new WebSocketServer({ noServer: true })

  static async start(
    scope: Scope,
    Connection: new (server: FakeSocketProvider, socket: WebSocket, request: IncomingMessage) => object,
    port = 0,
  ): Promise<FakeSocketProvider> {
    const provider = new FakeSocketProvider()
    provider.#server.on('upgrade', async (request, socket, head) => {
      provider.request = request
      socket.on('error', () => {})
      await provider.accept()
      const status = { unauthorized: 401, exhausted: 429 }[String(provider.fault)]
      if (status !== undefined) {
        socket.end(`HTTP/1.1 ${status} Rejected\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
        return
      }
      provider.#sockets.handleUpgrade(request, socket, head, (client) => {
        provider.track(client)
        new Connection(provider, client, request)
      })
    })
    provider.#server.listen(port, '127.0.0.1')
    await once(provider.#server, 'listening')
    provider.port = (provider.#server.address() as AddressInfo).port
    scope.after(() => provider.close())
    return provider
  }

  async close(): Promise<void> {
    for (const client of this.#sockets.clients) client.terminate()
    this.#server.close()
    this.#server.closeAllConnections()
  }
}

/** A provider with a protocol on TCP. */
export class FakeTcpProvider extends FakeProvider {
  readonly #server = createServer()
  readonly #sockets = new Set<Socket>()

  static async start(
    scope: Scope,
    Connection: new (server: FakeTcpProvider, socket: Socket) => object,
    port = 0,
  ): Promise<FakeTcpProvider> {
    const provider = new FakeTcpProvider()
    provider.#server.on('connection', async (socket) => {
      provider.#sockets.add(socket)
      socket.on('close', () => provider.#sockets.delete(socket))
      socket.on('error', () => {})
      provider.track(socket)
      await provider.accept()
      new Connection(provider, socket)
    })
    provider.#server.listen(port, '127.0.0.1')
    await once(provider.#server, 'listening')
    provider.port = (provider.#server.address() as AddressInfo).port
    scope.after(() => provider.close())
    return provider
  }

  async close(): Promise<void> {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }
}

/** The text of words. */
export function textOfWords(words: readonly CodedWord[]): string {
  return words.map(({ text }) => text).join(' ')
}
