import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { type WebSocket, WebSocketServer } from 'ws'

/** A received frame: parsed JSON, or the bytes of a binary frame. */
export type Frame = Record<string, unknown> | Buffer

export interface FakeCloudOptions {
  /** Acknowledge each connection immediately; `true` by default. */
  readonly acknowledge?: boolean
  /** Reject handshakes with this status and body. */
  readonly reject?: { readonly status: number; readonly body: string }
  /** Handles HTTP requests. */
  readonly onRequest?: (request: IncomingMessage, response: ServerResponse) => void
}

/** The server side of a glasses connection. */
export class ClientConnection extends EventEmitter<{ frame: [Frame]; closed: [] }> {
  readonly socket: WebSocket
  readonly request: IncomingMessage
  readonly received: Frame[] = []

  constructor(socket: WebSocket, request: IncomingMessage) {
    super()
    this.socket = socket
    this.request = request
    socket.on('message', (data: Buffer, isBinary) => {
      const frame: Frame = isBinary ? data : JSON.parse(data.toString())
      this.received.push(frame)
      this.emit('frame', frame)
    })
    socket.on('close', () => this.emit('closed'))
  }

  send(message: unknown): void {
    this.socket.send(JSON.stringify(message))
  }

  /** Waits for the first text frame of a type that fits, including one that was already received. */
  async frame(
    type: string,
    fits: (frame: Record<string, unknown>) => boolean = () => true,
    timeoutMs = 20_000,
  ): Promise<Record<string, unknown>> {
    for (;;) {
      const found = this.frames(type).find(fits)
      if (found) return found
      await once(this, 'frame', { signal: AbortSignal.timeout(timeoutMs) })
    }
  }

  /** The text frames of a type received so far. */
  frames(type: string): Record<string, unknown>[] {
    return this.received.filter(
      (frame): frame is Record<string, unknown> => !Buffer.isBuffer(frame) && frame.type === type,
    )
  }
}

/** Minimal cloud for tests of the glasses client: an HTTP and WebSocket server on a free port. */
export class FakeCloud {
  readonly connections: ClientConnection[] = []
  readonly #server: Server
  readonly #arrivals = new EventEmitter<{ connection: [ClientConnection] }>()
  options: FakeCloudOptions

  private constructor(options: FakeCloudOptions) {
    this.options = options
    this.#server = createServer((request, response) => this.options.onRequest?.(request, response))
    const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
    this.#server.on('upgrade', (request, socket, head) => {
      const { reject } = this.options
      if (reject) {
        socket.end(
          `HTTP/1.1 ${reject.status} No\r\nContent-Length: ${reject.body.length}\r\n\r\n${reject.body}`,
        )
        return
      }
      sockets.handleUpgrade(request, socket, head, (client) => {
        const connection = new ClientConnection(client, request)
        this.connections.push(connection)
        if (this.options.acknowledge !== false) connection.send(ack)
        this.#arrivals.emit('connection', connection)
      })
    })
  }

  /** Starts a fake cloud that stops after the test. */
  static async start(t: TestContext, options: FakeCloudOptions = {}): Promise<FakeCloud> {
    const cloud = new FakeCloud(options)
    cloud.#server.listen(0, '127.0.0.1')
    await once(cloud.#server, 'listening')
    t.after(() => cloud.close())
    return cloud
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Waits for connection number `index`, from 0. */
  async connection(index: number): Promise<ClientConnection> {
    for (;;) {
      const connection = this.connections[index]
      if (connection) return connection
      await once(this.#arrivals, 'connection', { signal: AbortSignal.timeout(20_000) })
    }
  }

  close(): void {
    for (const { socket } of this.connections) socket.terminate()
    this.#server.close()
    this.#server.closeAllConnections()
  }
}

/** An acknowledgement in both dialects, as for a client whose dialect is not known yet. */
const ack = {
  type: 'connection_ack',
  sessionId: 'session1',
  data: { sessionId: 'session1' },
}
