import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Dialect, ENVELOPE_SUBPROTOCOL } from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws'
import type { Authenticator } from '../identity/index.ts'
import { type Clock, toIsoString } from '../session/index.ts'
import type { Sessions } from '../session-host/index.ts'
import type { AppAdmission, AppIntroduction } from './app-admission.ts'
import { serveApp } from './app-socket.ts'
import { appTokenReader } from './app-token.ts'
import { closeCodes } from './close-codes.ts'
import { WsGlassesPeer } from './glasses-peer.ts'
import { serveGlasses } from './glasses-socket.ts'
import { Heartbeat } from './heartbeat.ts'
import type { SocketLimits } from './limits.ts'
import { socketAt } from './paths.ts'
import type { SocketMetrics } from './socket-metrics.ts'
import { type PeerEvents, WsPeer } from './ws-peer.ts'

/** What the sockets work with. */
export interface SocketsDeps {
  readonly clock: Clock
  readonly log: Logger
  readonly limits: SocketLimits
  readonly metrics: SocketMetrics
  readonly secret: string
  readonly authenticator: Authenticator
  readonly sessions: Sessions
  readonly admission: AppAdmission
  /** False while the cloud does not take connections: not ready yet, or going down. */
  accepting(): boolean
}

/** Why a handshake is refused: an HTTP status and the body clients of this ecosystem expect. */
interface Refusal {
  readonly status: '400 Bad Request' | '401 Unauthorized' | '404 Not Found' | '503 Service Unavailable'
  readonly type: 'connection_error' | 'tpa_connection_error'
  readonly code: string
  readonly message: string
}

/** Milliseconds sockets have to say goodbye when the cloud closes. */
const LEAVE_TIME = 1_000

/**
 * Serves `/glasses-ws` and `/app-ws` on an HTTP server.
 * @returns a function that closes what is open, as a restart; resolves when all sockets are gone. Who comes then is
 *   refused as long as the server listens.
 */
export function attachSockets(server: Server, parts: SocketsDeps): () => Promise<void> {
  const sockets = new Sockets(parts)
  server.on('upgrade', (request, socket, head) => sockets.upgrade(request, socket, head))
  return () => sockets.close()
}

class Sockets {
  readonly #deps: SocketsDeps
  readonly #heartbeat: Heartbeat
  readonly #readAppToken
  readonly #wss: WebSocketServer
  readonly #open = new Set<WebSocket>()
  /** App sockets that have not been authenticated, and since when; the oldest first. */
  readonly #unauthenticated = new Map<WebSocket, number>()

  constructor(parts: SocketsDeps) {
    this.#deps = parts
    this.#heartbeat = new Heartbeat(parts.clock)
    this.#readAppToken = appTokenReader(parts.secret)
    const options: ServerOptions & { closeTimeout: number } = {
      noServer: true,
      clientTracking: false,
      // Compression costs far more than it saves on short messages, and makes sound larger.
      perMessageDeflate: false,
      maxPayload: parts.limits.textBytes,
      // The library's types do not know it.
      closeTimeout: parts.limits.closeMs,
      handleProtocols: (offered) => offered.has(ENVELOPE_SUBPROTOCOL) && ENVELOPE_SUBPROTOCOL,
    }
    this.#wss = new WebSocketServer(options)
    // What is no handshake of the protocol the library would answer in HTML.
    this.#wss.on('wsClientError', (error, socket) => this.#refuse(socket, badHandshake(error.message)))
  }

  async close(): Promise<void> {
    this.#heartbeat.stop()
    this.#wss.close()
    const late = setTimeout(() => this.#each((ws) => ws.terminate()), LEAVE_TIME)
    await Promise.all(
      this.#each(async (ws) => {
        const gone = once(ws, 'close')
        ws.close(closeCodes.RESTART, 'The cloud restarts')
        await gone
      }),
    )
    clearTimeout(late)
  }

  #each<Result>(act: (ws: WebSocket) => Result): Result[] {
    return [...this.#open].map(act)
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const destroy = () => socket.destroy()
    socket.on('error', destroy)
    // A request line may name anything, even what is no address at all.
    const url = URL.parse(request.url ?? '/', 'http://cloud')
    const handshake = url === null ? Promise.resolve(notFound) : this.#handshake(request, url)
    handshake.then(
      (result) => {
        if (typeof result !== 'function') return this.#refuse(socket, result)
        this.#wss.handleUpgrade(request, socket, head, (ws) => {
          socket.off('error', destroy)
          ws.on('error', () => {}) // a broken frame closes the socket; the close is what matters
          this.#open.add(ws)
          ws.once('close', () => this.#open.delete(ws))
          this.#heartbeat.watch(ws)
          result(ws)
        })
      },
      (error: unknown) => {
        this.#deps.log.error({ err: error }, 'sockets: a handshake failed')
        this.#refuse(socket, unavailable)
      },
    )
  }

  async #handshake(request: IncomingMessage, url: URL): Promise<Refusal | ((ws: WebSocket) => void)> {
    switch (socketAt(url.pathname)) {
      case 'glasses':
        return this.#glassesHandshake(request, url)
      case 'app':
        return this.#appHandshake(request, url)
      default:
        return notFound
    }
  }

  async #glassesHandshake(request: IncomingMessage, url: URL): Promise<Refusal | ((ws: WebSocket) => void)> {
    const { authenticator, sessions, clock, limits, metrics, log, accepting } = this.#deps
    if (!accepting()) return unavailable
    const token = bearerOf(request) ?? url.searchParams.get('token') ?? undefined
    if (!token) return unauthorized('No token provided')
    const authentication = await authenticator.authenticateToken(token, { scopes: ['core', 'glasses'] })
    if (!authentication.ok) return unauthorized('Invalid token')
    const { user } = authentication
    return (ws) => {
      const peer = new WsGlassesPeer(ws, limits, this.#peerEvents(), settledDialect(ws, url), 'both')
      metrics.opened('glasses')
      ws.once('close', () => metrics.closed('glasses'))
      serveGlasses(ws, peer, user, {
        clock,
        limits,
        metrics,
        open: (who) => sessions.open(who),
        failed: (err) => log.error({ err }, 'sockets: a session could not be opened'),
      })
    }
  }

  async #appHandshake(request: IncomingMessage, url: URL): Promise<Refusal | ((ws: WebSocket) => void)> {
    const { clock, limits, metrics, admission, log, accepting } = this.#deps
    if (!accepting() || !this.#hasPlace()) return unavailable
    const introduction = this.#introductionOf(request)
    if (introduction && 'status' in introduction) return introduction
    return (ws) => {
      const peer = new WsPeer(ws, limits, this.#peerEvents(), settledDialect(ws, url), 'flat')
      metrics.opened('app')
      ws.once('close', () => metrics.closed('app'))
      serveApp(ws, peer, introduction, {
        clock,
        limits,
        metrics,
        admit: (given) => admission.admit(given),
        failed: (err) => log.error({ err }, 'sockets: an app could not be admitted'),
        settled: this.#watchUnauthenticated(ws, request),
      })
    }
  }

  /** Some clients authenticate an app by headers; most say it in their first message. */
  #introductionOf(request: IncomingMessage): AppIntroduction | Refusal | undefined {
    const bearer = bearerOf(request)
    if (!bearer) return undefined
    const token = this.#readAppToken(bearer)
    if (!token) return appUnauthorized('JWT_INVALID', 'The token is not valid')
    const { 'x-user-id': userId, 'x-session-id': sessionId } = request.headers
    if (typeof userId !== 'string' || typeof sessionId !== 'string') {
      return appUnauthorized('MISSING_HEADERS', 'The headers x-user-id and x-session-id are required')
    }
    return { ...token, sessionId }
  }

  /**
   * Whether one more app socket may wait for its authentication. Anybody can open sockets and say nothing on them, so
   * where all places are taken, one who had the time to introduce itself loses its own.
   */
  #hasPlace(): boolean {
    const { clock, limits } = this.#deps
    if (this.#unauthenticated.size < limits.unauthenticatedSockets) return true
    const [oldest] = this.#unauthenticated
    if (!oldest || clock.now() - oldest[1] < limits.unauthenticatedPlaceMs) return false
    const [ws] = oldest
    this.#unauthenticated.delete(ws)
    ws.close(closeCodes.REFUSED, 'No tpa_connection_init came in time')
    ws.terminate()
    return true
  }

  /** Counts a socket and its bytes until it is authenticated. */
  #watchUnauthenticated(ws: WebSocket, { socket }: IncomingMessage): () => void {
    this.#unauthenticated.set(ws, this.#deps.clock.now())
    const start = socket.bytesRead
    const measure = () => {
      if (socket.bytesRead - start <= this.#deps.limits.unauthenticatedBytes) return
      ws.close(closeCodes.TOO_BIG, 'Too much before authentication')
      ws.terminate()
    }
    socket.on('data', measure)
    return () => {
      this.#unauthenticated.delete(ws)
      socket.off('data', measure)
    }
  }

  #peerEvents(): PeerEvents {
    const { metrics } = this.#deps
    return {
      audioDropped: (frames) => metrics.dropped('audio', frames),
      tooSlow: () => metrics.slowReader(),
    }
  }

  #refuse(socket: Duplex, { status, type, code, message }: Refusal): void {
    const body = JSON.stringify({ type, code, message, timestamp: toIsoString(this.#deps.clock.now()) })
    socket.once('finish', () => socket.destroy())
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nSec-WebSocket-Version: 13\r\nConnection: close\r\n\r\n${body}`,
    )
  }
}

const notFound: Refusal = {
  status: '404 Not Found',
  type: 'connection_error',
  code: 'NOT_FOUND',
  message: 'There is no socket at this path',
}
const unavailable: Refusal = {
  status: '503 Service Unavailable',
  type: 'connection_error',
  code: 'NOT_READY',
  message: 'The cloud takes no connections now; try again',
}
const badHandshake = (message: string): Refusal => ({
  status: '400 Bad Request',
  type: 'connection_error',
  code: 'BAD_HANDSHAKE',
  message,
})
const unauthorized = (message: string): Refusal => ({
  status: '401 Unauthorized',
  type: 'connection_error',
  code: 'INVALID_TOKEN',
  message,
})
const appUnauthorized = (code: string, message: string): Refusal => ({
  status: '401 Unauthorized',
  type: 'tpa_connection_error',
  code,
  message,
})

/** The second word of the header, whatever the scheme is called; phones that have no token send `null`. */
function bearerOf({ headers }: IncomingMessage): string | undefined {
  const token = headers.authorization?.trim().split(/\s+/)[1]
  return token === 'null' || token === 'undefined' ? undefined : token
}

function settledDialect(ws: WebSocket, url: URL): Dialect | undefined {
  if (ws.protocol === ENVELOPE_SUBPROTOCOL) return 'envelope'
  const asked = url.searchParams.get('dialect')
  return asked === 'flat' || asked === 'envelope' ? asked : undefined
}
