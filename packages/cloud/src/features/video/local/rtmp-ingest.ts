import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { networkOf } from '../../../http/request-origin.ts'
import { type PublisherHandler, RtmpPublisher } from './rtmp-publisher.ts'

/** Connections of clients that have not named a stream key yet; a further one replaces the oldest. */
const MAX_UNAUTHORIZED_CONNECTIONS = 100

/** Those of one network address; a further one replaces the oldest of this address. */
const MAX_UNAUTHORIZED_PER_ADDRESS = 10

/** A client of the ingest. */
interface Connection {
  readonly publisher: RtmpPublisher
  /** What identifies the host of its address. */
  readonly network: string
}

/** Creates servers that encrypt connections which begin with TLS. */
export interface RtmpTls {
  createServer(encrypted: (socket: Socket) => void, plain: (socket: Socket) => void): Server
}

/** The application in the URL of the ingest. */
export const INGEST_APP = 'live'

/** Receives RTMP from glasses. A client may publish with a registered stream key, and do nothing else. */
export class RtmpIngest {
  readonly #server: Server
  /** Oldest first. */
  readonly #connections = new Set<Connection>()
  /** By the hash of the key, so that the time of a look-up does not depend on the key. */
  readonly #handlers = new Map<string, (publisher: RtmpPublisher) => PublisherHandler>()

  private constructor(tls: RtmpTls | undefined) {
    const accept = (socket: Socket) => {
      const publisher = new RtmpPublisher(socket, (key, from) => this.#handlers.get(hashOf(key))?.(from))
      const connection = { publisher, network: networkOf(socket.remoteAddress ?? '') }
      this.#makeRoom(connection.network)
      this.#connections.add(connection)
      socket.once('close', () => this.#connections.delete(connection))
    }
    this.#server = tls ? tls.createServer(accept, accept) : createServer(accept)
  }

  /**
   * Starts to listen.
   * @param tls accepts RTMPS on the same port
   * @throws the error of `listen`, such as EADDRINUSE
   */
  static async listen(host: string, port: number, tls?: RtmpTls): Promise<RtmpIngest> {
    const ingest = new RtmpIngest(tls)
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
    for (const { publisher } of this.#connections) publisher.close()
    await closed
  }

  /** Disconnects a client without a stream key if there are too many of them. */
  #makeRoom(network: string): void {
    const waiting = [...this.#connections].filter(({ publisher }) => !publisher.isAuthorized)
    const oldest = findReplaced(waiting, network)
    if (!oldest) return
    this.#connections.delete(oldest)
    oldest.publisher.close()
  }
}

/**
 * Finds the connection that a further one replaces: the oldest of its network if that has its limit, otherwise of all.
 * @param waiting those without a stream key, oldest first
 * @returns undefined if there is room
 */
export function findReplaced<Waiting extends Pick<Connection, 'network'>>(
  waiting: readonly Waiting[],
  network: string,
): Waiting | undefined {
  const own = waiting.filter((each) => each.network === network)
  if (own.length >= MAX_UNAUTHORIZED_PER_ADDRESS) return own[0]
  return waiting.length >= MAX_UNAUTHORIZED_CONNECTIONS ? waiting[0] : undefined
}

/** Returns the hash of a stream key without its query, which some encoders add. */
function hashOf(key: string): string {
  return createHash('sha256')
    .update(key.split('?', 1)[0] ?? '')
    .digest('base64')
}
