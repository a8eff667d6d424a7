import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { closeFrames, type Dialect, ENVELOPE_SUBPROTOCOL } from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws'
import type { ChangeFeed } from '../db/index.ts'
import { networkOf } from '../http/request-origin.ts'
import type { AccessWatch, ApiKeyStore, AppTokens, Authenticator, CredentialUses } from '../identity/index.ts'
import type { AppRecorder, SessionUser } from '../session-host/index.ts'
import { type Clock, toIsoString } from '../time/index.ts'
import { type AppAdmission, appTokenReader } from './app-admission.ts'
import { type AppHandshake, AppSocketRecorder, serveApp } from './app-socket.ts'
import { type GlassesSocketDeps, serveGlasses } from './glasses-socket.ts'
import {
  appUnauthorized,
  glassesUnauthorized,
  type HandshakeRejection,
  invalidHandshake,
  notFound,
  rejectHandshake,
  socketAt,
  unavailable,
} from './handshake.ts'
import { expectsJsonPings, Heartbeat, JsonPings, respondsToPing } from './heartbeat.ts'
import { KeySockets } from './key-sockets.ts'
import type { SocketLimits } from './limits.ts'
import type { SessionGateway } from './session-gateway.ts'
import type { SocketBudgets } from './socket-budget.ts'
import type { SocketMetrics } from './socket-metrics.ts'
import { UnauthenticatedSockets } from './unauthenticated-sockets.ts'
import { type PeerEvents, WsGlassesPeer, WsPeer } from './ws-peer.ts'

interface SocketsDeps {
  readonly clock: Clock
  readonly log: Logger
  readonly limits: SocketLimits
  readonly metrics: SocketMetrics
  /** What clients may send; shared with those whose sockets are on other nodes. */
  readonly budgets: SocketBudgets
  readonly secrets: readonly string[]
  readonly appTokens: AppTokens
  readonly authenticator: Authenticator
  readonly gateway: SessionGateway
  readonly access: AccessWatch
  readonly admission: AppAdmission
  readonly appRecorder: AppRecorder
  readonly changes: ChangeFeed
  readonly apiKeyStore: ApiKeyStore
  readonly credentialUses: Pick<CredentialUses, 'record'>
  /** What happens to the peers of sessions; shared with those whose sockets are on other nodes. */
  readonly peerEvents: PeerEvents
  /** Returns the address of the client of an upgrade request. */
  clientAddress(request: IncomingMessage): string
  /** Returns false before the cloud is ready and while it is shutting down. */
  isAccepting(): boolean
  /** Returns why no client can trust the connection yet, as a sentence; undefined if there is a certificate. */
  waiting(): string | undefined
}

/**
 * Serves a socket once its handshake is complete. What the socket keeps must not refer to the request, which would take
 * 4 KB as long as the socket is open: V8 keeps all variables that any closure of a function uses.
 */
type Serve = (ws: WebSocket) => void

/** The handshake of a glasses socket. */
interface GlassesUpgrade {
  readonly dialect: Dialect | undefined
  /** Whether the phone expects JSON pings. */
  readonly isPinged: boolean
  readonly userAgent: string | undefined
}

/** The handshake of an app socket. */
interface AppUpgrade {
  /** Address of the client. */
  readonly address: string
  readonly handshake: AppHandshake
  readonly dialect: Dialect | undefined
  readonly releaseSlot: () => void
}

/** The longest header that is read, in characters, like the longest field of `tpa_connection_init`. */
const MAX_HEADER_LENGTH = 600

/** Characters of a program's name that are kept. */
const MAX_USER_AGENT_LENGTH = 200

/** How long clients have to respond to the close frame at shutdown. */
const CLOSE_DEADLINE_MS = 1_000

/**
 * Serves `/glasses-ws` and `/app-ws` on an HTTP server.
 * @returns a function that closes all sockets with `RESTARTING` and resolves once they are closed, and nothing is read for
 *   them any more; later handshakes are rejected with 503
 */
export function attachSockets(server: Server, deps: SocketsDeps): () => Promise<void> {
  const sockets = new Sockets(deps)
  server.on('upgrade', (request, socket, head) => sockets.upgrade(request, socket, head))
  return () => sockets.close()
}

class Sockets {
  readonly #deps: SocketsDeps
  readonly #heartbeat: Heartbeat
  readonly #jsonPings: JsonPings
  readonly #readAppToken
  readonly #wss: WebSocketServer
  readonly #open = new Set<WebSocket>()
  /** Sockets that are being attached to sessions. */
  readonly #pending = new Set<Promise<unknown>>()
  readonly #unauthenticated: UnauthenticatedSockets
  readonly #keySockets: KeySockets
  readonly #glassesDeps: GlassesSocketDeps

  constructor(deps: SocketsDeps) {
    const { clock, limits, appTokens, secrets } = deps
    this.#deps = deps
    this.#jsonPings = new JsonPings(clock)
    this.#glassesDeps = {
      ...deps,
      jsonPings: this.#jsonPings,
      attach: (user, peer) => this.#attaching(deps.gateway.attachGlasses(user, peer)),
      failed: (err) => deps.log.error({ err }, 'sockets: session could not be opened'),
    }
    this.#heartbeat = new Heartbeat(clock)
    this.#readAppToken = appTokenReader(appTokens, secrets)
    this.#keySockets = new KeySockets({
      ...deps,
      failed: (err) => deps.log.error({ err }, 'sockets: the API key of an app could not be checked'),
    })
    this.#unauthenticated = new UnauthenticatedSockets(clock, limits)
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
    this.#jsonPings.stop()
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
    await Promise.allSettled(this.#pending)
  }

  /** Sockets that were closed while they were being attached still read from the database, which ends after them. */
  #attaching<Result>(attaching: Promise<Result>): Promise<Result> {
    const forget = () => void this.#pending.delete(attaching)
    this.#pending.add(attaching)
    attaching.then(forget, forget)
    return attaching
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
          this.#watch(ws)
          result(ws)
        })
      },
      (error: unknown) => {
        this.#deps.log.error({ err: error }, 'sockets: handshake failed')
        this.#reject(socket, unavailable)
      },
    )
  }

  #watch(ws: WebSocket): void {
    ws.on('error', ignore) // A protocol error closes the socket, and the close event is handled.
    this.#open.add(ws)
    ws.on('close', () => this.#open.delete(ws))
    this.#heartbeat.watch(ws)
  }

  async #handshake(request: IncomingMessage, url: URL): Promise<HandshakeRejection | Serve> {
    const socket = socketAt(url.pathname)
    if (socket === undefined) return notFound
    const { isAccepting, waiting } = this.#deps
    if (!isAccepting()) return unavailable
    const reason = waiting()
    if (reason !== undefined) return { ...unavailable, message: reason }
    switch (socket) {
      case 'glasses':
        return this.#glassesHandshake(request, url)
      case 'app':
        return this.#appHandshake(request, url)
    }
  }

  async #glassesHandshake(request: IncomingMessage, url: URL): Promise<HandshakeRejection | Serve> {
    const { authenticator, credentialUses, clientAddress } = this.#deps
    const token = bearerOf(request) ?? url.searchParams.get('token') ?? undefined
    if (!token) return glassesUnauthorized('No token provided')
    const authentication = await authenticator.authenticateToken(token, { scopes: ['core', 'glasses'] })
    if (!authentication.ok) return glassesUnauthorized('Invalid token')
    const { user, loginId } = authentication
    if (loginId !== undefined) credentialUses.record({ table: 'logins', id: loginId }, clientAddress(request))
    const userAgent = request.headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH)
    return (ws) => {
      this.#watchAccess(ws, user, loginId)
      this.#serveGlasses(ws, user, {
        dialect: requestedDialect(ws, url),
        isPinged: expectsJsonPings(url),
        userAgent,
      })
    }
  }

  /** Closes a glasses socket once its user or login is gone. */
  #watchAccess(ws: WebSocket, { id, tokensValidFrom }: SessionUser, loginId: string | undefined): void {
    const stop = this.#deps.access.watch({ user: { id, tokensValidFrom }, loginId }, (reason) => {
      const frame = reason === 'deleted' ? closeFrames.ACCOUNT_DELETED : closeFrames.LOGGED_OUT
      ws.close(frame.code, frame.reason)
    })
    ws.on('close', stop)
  }

  #serveGlasses(ws: WebSocket, user: SessionUser, { dialect, isPinged, userAgent }: GlassesUpgrade): void {
    const { clock, limits, metrics, peerEvents } = this.#deps
    const phone = { userAgent, isAlive: () => respondsToPing(ws, clock) }
    const peer = new WsGlassesPeer(ws, limits, peerEvents, dialect, 'both', phone)
    metrics.opened('glasses')
    ws.on('close', () => metrics.closed('glasses'))
    if (isPinged) this.#jsonPings.add(peer)
    serveGlasses(ws, peer, user, this.#glassesDeps)
  }

  async #appHandshake(request: IncomingMessage, url: URL): Promise<HandshakeRejection | Serve> {
    const handshake = await this.#readAppHandshake(request)
    if (handshake === undefined) return appUnauthorized('JWT_INVALID', 'The token is invalid')
    const address = this.#deps.clientAddress(request)
    const network = networkOf(address)
    if (!this.#unauthenticated.makeRoom(network)) return { ...unavailable, reason: 'LIMIT' }
    return (ws) =>
      this.#serveApp(ws, {
        address,
        handshake,
        dialect: requestedDialect(ws, url),
        releaseSlot: this.#unauthenticated.add(ws, request, network),
      })
  }

  #serveApp(ws: WebSocket, { address, handshake, dialect, releaseSlot }: AppUpgrade): void {
    const { clock, limits, metrics, budgets, admission, appRecorder, credentialUses, log, peerEvents } =
      this.#deps
    const peer = new WsPeer(ws, limits, peerEvents, dialect, 'flat')
    metrics.opened('app')
    ws.on('close', () => metrics.closed('app'))
    serveApp(ws, peer, handshake, {
      clock,
      limits,
      metrics,
      budgets,
      admit: (presented) => this.#attaching(admission.admit(presented, peer, networkOf(address))),
      admitted: (app) => {
        credentialUses.record({ table: 'api_keys', id: app.keyId }, address)
        const removeKey = this.#keySockets.add(app.keyId, ws)
        const recorder = new AppSocketRecorder(appRecorder, app)
        ws.on('close', (code: number, reason: Buffer) => {
          removeKey()
          recorder.closed(code, reason.toString())
        })
        return recorder
      },
      failed: (err) => log.error({ err }, 'sockets: app could not be admitted'),
      releaseSlot,
    })
  }

  /** Reads what the headers say about an app; undefined if they contain an invalid token. */
  async #readAppHandshake(request: IncomingMessage): Promise<AppHandshake | undefined> {
    const announced = announcedBy(request)
    const bearer = bearerOf(request)
    if (!bearer) return announced
    const identity = this.#readAppToken(bearer)
    if (identity === undefined) return undefined
    // A token of this cloud ends with its API key. Other keys are verified once the app names its session.
    const isRevoked = 'keyId' in identity && !(await this.#deps.admission.findOwner(identity))
    return isRevoked ? undefined : { ...announced, identity }
  }

  #reject(socket: Duplex, rejection: HandshakeRejection): void {
    this.#deps.metrics.handshakeRejected(rejection.reason ?? rejection.code)
    rejectHandshake(socket, rejection, toIsoString(this.#deps.clock.now()))
  }
}

function ignore(): void {}

/** Returns what the headers of SDK 3 say about an app; its first message may leave it out. */
function announcedBy({ headers }: IncomingMessage): AppHandshake {
  const read = (name: string) => {
    const value = headers[name]
    return typeof value === 'string' && value.length <= MAX_HEADER_LENGTH ? value : undefined
  }
  return {
    packageName: read('x-package-name'),
    apiKey: read('x-api-key'),
    sessionId: read('x-session-id'),
    sdkVersion: read('x-sdk-version'),
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
