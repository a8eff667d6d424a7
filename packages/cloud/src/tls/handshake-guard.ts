import { constants } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Server, TLSSocket, TlsOptions } from 'node:tls'
import { networkOf } from '../http/request-origin.ts'
import type { Clock, Timer } from '../time/index.ts'

/** Time in which a client must complete the handshake. */
const HANDSHAKE_TIMEOUT_MS = 10_000

/** Those of TLS 1.3, and of TLS 1.2 those with forward secrecy and authenticated encryption. */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':')

/** What every TLS server of the cloud has in common. */
export const TLS_OPTIONS = {
  minVersion: 'TLSv1.2',
  ciphers: CIPHERS,
  // Phones without instructions for AES prefer ChaCha20.
  honorCipherOrder: false,
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
  // By default it differs between processes, so that a session of one node could not be resumed on another.
  sessionIdContext: 'glasses-cloud',
} as const satisfies TlsOptions

/** Limits of connections that have not completed their handshake. */
export interface HandshakeLimits {
  /** Those of one network address; a further one replaces the oldest of this address. */
  readonly perNetwork: number
  /** All; a further one replaces the oldest. */
  readonly total: number
  readonly timeoutMs: number
}

const HANDSHAKE_LIMITS: HandshakeLimits = {
  // Phones behind one address connect at the same time after a restart.
  perNetwork: 500,
  total: 5_000,
  timeoutMs: HANDSHAKE_TIMEOUT_MS,
}

/** Receives a connection whose first bytes are in its buffer. */
export type ConnectionHandler = (socket: Socket) => void

export interface HandshakeGuardOptions {
  readonly clock: Clock
  readonly limits?: Partial<HandshakeLimits> | undefined
  /** Receives connections that do not begin with TLS; by default they get a hint in plain HTTP, or are closed. */
  readonly plain?: ConnectionHandler | undefined
  /** Receives connections of an authority that checks a `tls-alpn-01` challenge. */
  readonly challenge?: ConnectionHandler | undefined
}

/** The type of a TLS record with a part of a handshake. */
const HANDSHAKE_RECORD = 22

/** Bytes before the content of a TLS record; the last two are its length. */
const RECORD_HEADER_BYTES = 5

/** The application protocol of `tls-alpn-01` (RFC 8737), which a client offers in its first message. */
const CHALLENGE_PROTOCOL = 'acme-tls/1'

const HTTP_REQUEST = /^[A-Z]{3,10} /

const HINT = 'This port speaks HTTPS: use an address that begins with https://\n'

const HTTP_HINT = [
  'HTTP/1.1 400 Bad Request',
  'Content-Type: text/plain; charset=utf-8',
  `Content-Length: ${HINT.length}`,
  'Connection: close',
  '',
  HINT,
].join('\r\n')

interface Unfinished {
  readonly socket: Socket
  readonly network: string
  readonly deadline: Timer
}

/**
 * Limits what connections to a TLS server may do before they are encrypted: how many there are, and for how long. It
 * looks at their first bytes, and gives those that begin with TLS to the server.
 */
export class HandshakeGuard {
  readonly #options: HandshakeGuardOptions
  readonly #limits: HandshakeLimits
  readonly #encrypt: ConnectionHandler
  /** By address and port of the client, oldest first. */
  readonly #unfinished = new Map<string, Unfinished>()

  /** @param server before it listens, without listeners beside those of Node */
  constructor(server: Server, options: HandshakeGuardOptions) {
    this.#options = options
    this.#limits = { ...HANDSHAKE_LIMITS, ...options.limits }
    const [encrypt] = server.listeners('connection') as ConnectionHandler[]
    if (encrypt === undefined) throw new Error('Node no longer starts handshakes with the event "connection"')
    this.#encrypt = encrypt.bind(server)
    server.off('connection', encrypt)
    server.on('connection', (socket: Socket) => this.#accept(socket))
    server.on('secureConnection', (socket: TLSSocket) => this.#finished(keyOf(socket)))
    // Anybody can cause these errors, so they are not logged, and a response could not be encrypted.
    server.removeAllListeners('tlsClientError')
    server.on('tlsClientError', (_error, socket) => socket.destroy())
  }

  /** Connections without a completed handshake. */
  get unfinished(): number {
    return this.#unfinished.size
  }

  /** Closes the connections without a completed handshake. */
  close(): void {
    for (const { socket } of this.#unfinished.values()) socket.destroy()
  }

  #accept(socket: Socket): void {
    const { clock } = this.#options
    const key = keyOf(socket)
    const network = networkOf(socket.remoteAddress ?? '')
    this.#makeRoom(network)
    const deadline = clock.after(this.#limits.timeoutMs, () => socket.destroy())
    this.#unfinished.set(key, { socket, network, deadline })
    socket.once('close', () => this.#finished(key))
    socket.on('error', () => socket.destroy())
    this.#inspect(socket, key)
  }

  /** Reads the beginning of a connection, and puts it back for the one that handles it. */
  #inspect(socket: Socket, key: string): void {
    let received: Buffer = Buffer.alloc(0)
    socket.on('readable', () => {
      const bytes = socket.read() as Buffer | null
      if (bytes === null) return
      received = received.length === 0 ? bytes : Buffer.concat([received, bytes])
      if (received[0] === HANDSHAKE_RECORD && !this.#isComplete(received)) return
      socket.removeAllListeners('readable')
      if (received[0] !== HANDSHAKE_RECORD) return this.#acceptPlain(socket, received, key)
      socket.unshift(received)
      const { challenge } = this.#options
      if (challenge !== undefined && received.includes(CHALLENGE_PROTOCOL)) challenge(socket)
      else this.#encrypt(socket)
    })
  }

  /** The protocols that a client offers matter only where a challenge may be answered. */
  #isComplete(bytes: Buffer): boolean {
    if (this.#options.challenge === undefined) return true
    return (
      bytes.length >= RECORD_HEADER_BYTES &&
      bytes.length >= RECORD_HEADER_BYTES + bytes.readUInt16BE(RECORD_HEADER_BYTES - 2)
    )
  }

  #acceptPlain(socket: Socket, bytes: Buffer, key: string): void {
    const { plain } = this.#options
    if (plain !== undefined) {
      this.#finished(key)
      socket.unshift(bytes)
      return plain(socket)
    }
    if (!HTTP_REQUEST.test(bytes.toString('latin1', 0, 16))) return void socket.destroy()
    // Unread bytes would make the system reset the connection, and the client miss the hint.
    socket.resume()
    socket.end(HTTP_HINT, () => socket.destroySoon())
  }

  #finished(key: string): void {
    this.#unfinished.get(key)?.deadline.cancel()
    this.#unfinished.delete(key)
  }

  #makeRoom(network: string): void {
    const { perNetwork, total } = this.#limits
    if (this.#unfinished.size < Math.min(perNetwork, total)) return
    const all = [...this.#unfinished]
    const own = all.filter(([, each]) => each.network === network)
    const replaced = own.length >= perNetwork ? own[0] : all.length >= total ? all[0] : undefined
    if (replaced === undefined) return
    const [key, { socket }] = replaced
    this.#finished(key)
    socket.destroy()
  }
}

/** Identifies a connection of a server. */
function keyOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
