import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { type PublisherHandler, RtmpPublisher } from './rtmp-publisher.ts'

/** Connections of clients that have not named a stream key yet. */
const MAX_UNAUTHORIZED_CONNECTIONS = 100

/** The application in the URL of the ingest. */
export const INGEST_APP = 'live'

/** Receives RTMP from glasses. A client may publish with a registered stream key, and do nothing else. */
export class RtmpIngest {
  readonly #server: Server
  readonly #publishers = new Set<RtmpPublisher>()
  /** By the hash of the key, so that the time of a look-up does not depend on the key. */
  readonly #handlers = new Map<string, (publisher: RtmpPublisher) => PublisherHandler>()

  private constructor() {
    this.#server = createServer((socket) => {
      const unauthorized = [...this.#publishers].filter(({ isAuthorized }) => !isAuthorized)
      if (unauthorized.length >= MAX_UNAUTHORIZED_CONNECTIONS) return void socket.destroy()
      const publisher = new RtmpPublisher(socket, (key, from) => this.#handlers.get(hashOf(key))?.(from))
      this.#publishers.add(publisher)
      socket.once('close', () => this.#publishers.delete(publisher))
    })
  }

  /** Starts to listen. @throws the error of `listen`, such as EADDRINUSE */
  static async listen(host: string, port: number): Promise<RtmpIngest> {
    const ingest = new RtmpIngest()
    ingest.#server.listen({ host, port })
    await once(ingest.#server, 'listening')
    return ingest
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Accepts publishers with a key. Replaces a previous registration. */
  register(key: string, accept: (publisher: RtmpPublisher) => PublisherHandler): void {
    this.#handlers.set(hashOf(key), accept)
  }

  unregister(key: string): void {
    this.#handlers.delete(hashOf(key))
  }

  /** Disconnects all publishers and stops to listen. */
  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const publisher of this.#publishers) publisher.close()
    await closed
  }
}

/** Returns the hash of a stream key without its query, which some encoders add. */
function hashOf(key: string): string {
  return createHash('sha256')
    .update(key.split('?', 1)[0] ?? '')
    .digest('base64')
}
