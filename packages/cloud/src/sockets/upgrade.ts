import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { closeFrames, type Dialect, ENVELOPE_SUBPROTOCOL } from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws'
import { networkOf } from '../http/client-address.ts'
import type { Authenticator } from '../identity/index.ts'
import { type Clock, toIsoString } from '../session/index.ts'
import type { AppAddresses, Sessions } from '../session-host/index.ts'
import type { AppAdmission, AppCredentials } from './app-admission.ts'
import { serveApp } from './app-socket.ts'
import { appTokenReader } from './app-token.ts'
import { WsGlassesPeer } from './glasses-peer.ts'
import { serveGlasses } from './glasses-socket.ts'
import {
  appUnauthorized,
  glassesUnauthorized,
  type HandshakeRejection,
  invalidHandshake,
  notFound,
  rejectHandshake,
  unavailable,
} from './handshake-rejection.ts'
import { Heartbeat } from './heartbeat.ts'
import type { SocketLimits } from './limits.ts'
import { socketAt } from './paths.ts'
import { SocketBudgets } from './socket-budget.ts'
import type { SocketMetrics } from './socket-metrics.ts'
import { UnauthenticatedSockets } from './unauthenticated-sockets.ts'
import { type PeerEvents, WsPeer } from './ws-peer.ts'

export interface SocketsDeps {
  readonly clock: Clock
  readonly log: Logger
  readonly limits: SocketLimits
  readonly metrics: SocketMetrics
  readonly secret: string
  readonly authenticator: Authenticator
  readonly sessions: Sessions
  readonly admission: AppAdmission
  readonly appAddresses: AppAddresses
  /** Returns the address of the client of an upgrade request. */
  clientAddress(request: IncomingMessage): string
  /** Returns false before the cloud is ready and while it is shutting down. */
  isAccepting(): boolean
}

/** Serves a socket once its handshake is complete. */
type Serve = (ws: WebSocket) => void

/** How long clients have to respond to the close frame at shutdown. */
const CLOSE_DEADLINE_MS = 1_000

/**
 * Serves `/glasses-ws` and `/app-ws` on an HTTP server.
 * @returns a function that closes all sockets with `RESTART` and resolves once they are closed; later handshakes are
 *   rejected with 503
 */
export function attachSockets(server: Server, deps: SocketsDeps): () => Promise<void> {
  const sockets = new Sockets(deps)
  server.on('upgrade', (request, socket, head) => sockets.upgrade(request, socket, head))
  return () => sockets.close()
}

class Sockets {
  readonly #deps: SocketsDeps
  readonly #heartbeat: Heartbeat
  readonly #readAppToken
  readonly #wss: WebSocketServer
  readonly #open = new Set<WebSocket>()
  readonly #unauthenticated: UnauthenticatedSockets
  readonly #budgets: SocketBudgets
  readonly #peerEvents: PeerEvents

  constructor(deps: SocketsDeps) {
    const { clock, limits, metrics, secret } = deps
    this.#deps = deps
    this.#heartbeat = new Heartbeat(clock)
    this.#readAppToken = appTokenReader(secret)
    this.#budgets = new SocketBudgets(clock, limits)
    this.#unauthenticated = new UnauthenticatedSockets(clock, limits)
    this.#peerEvents = {
      audioDropped: (frames) => metrics.dropped('audio', frames),
      tooSlow: () => metrics.slowReader(),
    }
    const options: ServerOptions & { closeTimeout: number } = {
      noServer: true,
      clientTracking: false,
      // Compression costs more than it saves on short messages, and enlarges audio.
      perMessageDeflate: false,
      maxPayload: limits.textBytes,
      // Missing from the type definitions of ws.
      closeTimeout: limits.closeMs,
      handleProtocols: (offered) => offered.has(ENVELOPE_SUBPROTOCOL) && ENVELOPE_SUBPROTOCOL,
    }
    this.#wss = new WebSocketServer(options)
    // Without this listener, ws responds to invalid handshakes with an HTML body.
    this.#wss.on('wsClientError', (error, socket) => this.#reject(socket, invalidHandshake(error.message)))
  }

  async close(): Promise<void> {
    this.#heartbeat.stop()
    this.#wss.close()
    const terminate = setTimeout(() => {
      for (const ws of this.#open) ws.terminate()
    }, CLOSE_DEADLINE_MS)
    await Promise.all(
      [...this.#open].map(async (ws) => {
        const closed = once(ws, 'close')
        ws.close(closeFrames.RESTARTING.code, closeFrames.RESTARTING.reason)
        await closed
      }),
    )
    clearTimeout(terminate)
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const destroy = () => socket.destroy()
    socket.on('error', destroy)
    // A client may send any request target, including one that is not a valid URL.
    const url = URL.parse(request.url ?? '/', 'http://cloud')
    const handshake = url === null ? Promise.resolve(notFound) : this.#handshake(request, url)
    handshake.then(
      (result) => {
        if (typeof result !== 'function') return this.#reject(socket, result)
        this.#wss.handleUpgrade(request, socket, head, (ws) => {
          socket.off('error', destroy)
          ws.on('error', () => {}) // A protocol error closes the socket, and the close event is handled.
          this.#open.add(ws)
          ws.once('close', () => this.#open.delete(ws))
          this.#heartbeat.watch(ws)
          result(ws)
        })
      },
      (error: unknown) => {
        this.#deps.log.error({ err: error }, 'sockets: handshake failed')
        this.#reject(socket, unavailable)
      },
    )
  }

  async #handshake(request: IncomingMessage, url: URL): Promise<HandshakeRejection | Serve> {
    switch (socketAt(url.pathname)) {
      case 'glasses':
        return this.#glassesHandshake(request, url)
      case 'app':
        return this.#appHandshake(request, url)
      default:
        return notFound
    }
  }

  async #glassesHandshake(request: IncomingMessage, url: URL): Promise<HandshakeRejection | Serve> {
    const { authenticator, sessions, clock, limits, metrics, log, isAccepting } = this.#deps
    if (!isAccepting()) return unavailable
    const token = bearerOf(request) ?? url.searchParams.get('token') ?? undefined
    if (!token) return glassesUnauthorized('No token provided')
    const authentication = await authenticator.authenticateToken(token, { scopes: ['core', 'glasses'] })
    if (!authentication.ok) return glassesUnauthorized('Invalid token')
    const { user } = authentication
    return (ws) => {
      const peer = new WsGlassesPeer(ws, limits, this.#peerEvents, requestedDialect(ws, url), 'both')
      metrics.opened('glasses')
      ws.once('close', () => metrics.closed('glasses'))
      serveGlasses(ws, peer, user, {
        clock,
        limits,
        metrics,
        budgets: this.#budgets,
        open: (owner) => sessions.open(owner),
        failed: (err) => log.error({ err }, 'sockets: session could not be opened'),
      })
    }
  }

  async #appHandshake(request: IncomingMessage, url: URL): Promise<HandshakeRejection | Serve> {
    const { clock, limits, metrics, admission, appAddresses, log, isAccepting } = this.#deps
    if (!isAccepting() || !this.#unauthenticated.makeRoom()) return unavailable
    const credentials = this.#credentialsOf(request)
    if (credentials && 'status' in credentials) return credentials
    const address = networkOf(this.#deps.clientAddress(request))
    return (ws) => {
      const peer = new WsPeer(ws, limits, this.#peerEvents, requestedDialect(ws, url), 'flat')
      metrics.opened('app')
      ws.once('close', () => metrics.closed('app'))
      serveApp(ws, peer, credentials, {
        clock,
        limits,
        metrics,
        budgets: this.#budgets,
        admit: (presented) => admission.admit(presented),
        admitted: (userSessionId, packageName) => appAddresses.add(userSessionId, packageName, address),
        failed: (err) => log.error({ err }, 'sockets: app could not be admitted'),
        releaseSlot: this.#unauthenticated.add(ws, request),
      })
    }
  }

  /** Reads credentials from the headers; most clients send them in their first message instead. */
  #credentialsOf(request: IncomingMessage): AppCredentials | HandshakeRejection | undefined {
    const bearer = bearerOf(request)
    if (!bearer) return undefined
    const token = this.#readAppToken(bearer)
    if (!token) return appUnauthorized('JWT_INVALID', 'The token is invalid')
    const { 'x-user-id': userId, 'x-session-id': sessionId } = request.headers
    if (typeof userId !== 'string' || typeof sessionId !== 'string') {
      return appUnauthorized('MISSING_HEADERS', 'The headers x-user-id and x-session-id are required')
    }
    return { ...token, sessionId }
  }

  #reject(socket: Duplex, rejection: HandshakeRejection): void {
    rejectHandshake(socket, rejection, toIsoString(this.#deps.clock.now()))
  }
}

/** Returns the token of the `Authorization` header with any scheme; phones without a token send `null`. */
function bearerOf({ headers }: IncomingMessage): string | undefined {
  const token = headers.authorization?.trim().split(/\s+/)[1]
  return token === 'null' || token === 'undefined' ? undefined : token
}

/** Returns the dialect that the handshake determines, if any. */
function requestedDialect(ws: WebSocket, url: URL): Dialect | undefined {
  if (ws.protocol === ENVELOPE_SUBPROTOCOL) return 'envelope'
  const dialect = url.searchParams.get('dialect')
  return dialect === 'flat' || dialect === 'envelope' ? dialect : undefined
}
