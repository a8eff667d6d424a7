import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { connect as connectTls, createServer as createTlsServer } from 'node:tls'
import type { BusTransport, TransportEvents } from '@glasses-cloud/cloud/bus'

const LENGTH_BYTES = 4
const HOST = '127.0.0.1'

/** Both sides prove that they know the key. */
const KEY = Buffer.alloc(32, 7)
const TLS = { ciphers: 'ECDHE-PSK-CHACHA20-POLY1305', minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' } as const

/** A direct connection to one other node: only what it costs, without addresses, losses and a second way. */
export class DirectTransport implements BusTransport {
  readonly isConnected = true
  readonly #server: Server
  readonly #hasTls: boolean
  #channel = ''
  #events: TransportEvents | undefined
  #connection: Socket | undefined

  private constructor(hasTls: boolean) {
    const accept = (socket: Socket) => this.#accept(socket)
    this.#hasTls = hasTls
    this.#server = hasTls ? createTlsServer({ ...TLS, pskCallback: () => KEY }, accept) : createServer(accept)
  }

  static async listen(hasTls: boolean): Promise<DirectTransport> {
    const transport = new DirectTransport(hasTls)
    transport.#server.listen(0, HOST)
    await once(transport.#server, 'listening')
    return transport
  }

  get port(): number {
    return portOf(this.#server)
  }

  async connect(port: number): Promise<void> {
    this.#connection = this.#hasTls
      ? connectTls({
          ...TLS,
          host: HOST,
          port,
          checkServerIdentity: () => undefined,
          pskCallback: () => ({ psk: KEY, identity: 'bench' }),
        })
      : connect(port, HOST)
    this.#connection.setNoDelay(true)
    await once(this.#connection, this.#hasTls ? 'secureConnect' : 'connect')
  }

  start(events: TransportEvents): void {
    this.#events = events
  }

  /** The only channel is that of this node. */
  async subscribe(channel: string): Promise<void> {
    this.#channel = channel
  }

  unsubscribe(): void {}

  async publish(_channel: string, payload: Buffer): Promise<number> {
    // One buffer: a second write costs more than the copy.
    const bytes = Buffer.allocUnsafe(LENGTH_BYTES + payload.byteLength)
    bytes.writeUInt32BE(payload.byteLength)
    bytes.set(payload, LENGTH_BYTES)
    this.#connection?.write(bytes)
    return 1
  }

  reconnect(): void {}

  async close(): Promise<void> {
    this.#connection?.destroy()
    this.#server.close()
  }

  #accept(socket: Socket): void {
    let rest = Buffer.alloc(0)
    socket.setNoDelay(true)
    socket.on('data', (chunk) => {
      const data = rest.byteLength > 0 ? Buffer.concat([rest, chunk]) : chunk
      let offset = 0
      while (data.byteLength - offset >= LENGTH_BYTES) {
        const end = offset + LENGTH_BYTES + data.readUInt32BE(offset)
        if (end > data.byteLength) break
        this.#events?.message(this.#channel, data.subarray(offset + LENGTH_BYTES, end))
        offset = end
      }
      rest = data.subarray(offset)
    })
  }
}

/** The port of a server that listens. */
export function portOf(server: Server): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server does not listen')
  return address.port
}
