import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { type WebSocket, WebSocketServer } from 'ws'

/** A frame as it came: text parsed as JSON, or the bytes. */
export type Frame = Record<string, unknown> | Buffer

/** How a small cloud behaves. */
export interface FakeCloudOptions {
  /** Acknowledge each connection at once; on by default. */
  readonly acknowledge?: boolean
  /** Refuse handshakes with this status and body. */
  readonly reject?: { readonly status: number; readonly body: string }
  /** Answer plain HTTP requests. */
  readonly onRequest?: (request: IncomingMessage, response: ServerResponse) => void
}

/** One glasses client, as the cloud sees it. */
export class ClientConnection extends EventEmitter<{ frame: [Frame]; gone: [] }> {
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
    socket.on('close', () => this.emit('gone'))
  }

  send(message: unknown): void {
    this.socket.send(JSON.stringify(message))
  }

  /** The first text frame of a type, one that came already included. */
  async frame(type: string): Promise<Record<string, unknown>> {
    for (;;) {
      for (const frame of this.received) if (!Buffer.isBuffer(frame) && frame.type === type) return frame
      await once(this, 'frame', { signal: AbortSignal.timeout(5_000) })
    }
  }

  /** All text frames so far of a type. */
  frames(type: string): Record<string, unknown>[] {
    return this.received.filter(
      (frame): frame is Record<string, unknown> => !Buffer.isBuffer(frame) && frame.type === type,
    )
  }
}

/** Just enough of a cloud to see what a glasses client says and does: a socket server on port 0. */
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

  /** Opens a small cloud that closes with the test. */
  static async open(t: TestContext, options: FakeCloudOptions = {}): Promise<FakeCloud> {
    const cloud = new FakeCloud(options)
    cloud.#server.listen(0, '127.0.0.1')
    await once(cloud.#server, 'listening')
    t.after(() => cloud.close())
    return cloud
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Connection number `at`, from 0, awaited if it is not there yet. */
  async connection(at: number): Promise<ClientConnection> {
    for (;;) {
      const connection = this.connections[at]
      if (connection) return connection
      await once(this.#arrivals, 'connection', { signal: AbortSignal.timeout(5_000) })
    }
  }

  close(): void {
    for (const { socket } of this.connections) socket.terminate()
    this.#server.close()
    this.#server.closeAllConnections()
  }
}

/** An acknowledgement in both forms, as to a client that has not spoken. */
const ack = {
  type: 'connection_ack',
  sessionId: 'session1',
  data: { sessionId: 'session1' },
}
