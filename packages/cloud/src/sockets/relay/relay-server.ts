import type { AppToCloud, AudioFormat, GlassesToCloud, Message } from '@glasses-cloud/contract'
import { type Bus, FRAME_KINDS } from '../../bus/index.ts'
import type { GlassesPeer, UserSession } from '../../session/index.ts'
import type { HostedSession, Sessions } from '../../session-host/index.ts'
import type { Clock } from '../../time/index.ts'
import { ifRecorded, type Tracing } from '../../tracing/index.ts'
import type { SocketLimits } from '../limits.ts'
import type { LocalGateway } from '../local-gateway.ts'
import { isSdkGeneration } from '../sdk-generations.ts'
import type { AppSocketSession } from '../session-gateway.ts'
import type { SocketBudgets } from '../socket-budget.ts'
import { type PeerEvents, WsPeer } from '../ws-peer.ts'
import {
  type AttachAppRequest,
  type AttachGlassesRequest,
  type AttachRequest,
  type AttachResult,
  attachApp,
  attachGlasses,
  invalidAppKey,
  isGlassesAlive,
} from './relay-calls.ts'
import { RelayBudget } from './relay-client.ts'
import { decodeRelayFrame, encodeRelayFrame, RELAY } from './relay-frame.ts'
import { RelaySocket } from './relay-socket.ts'

export interface RelayServerDeps {
  readonly clock: Clock
  readonly bus: Bus
  readonly sessions: Sessions
  readonly gateway: LocalGateway
  readonly limits: SocketLimits
  readonly budgets: SocketBudgets
  readonly events: PeerEvents
  readonly tracing?: Tracing | undefined
  /** Whether this node may act for its sessions. */
  isOwner(): boolean
}

/** A socket on another node that is attached to a session of this one. */
interface Link {
  readonly node: string
  readonly epoch: number
  readonly socket: RelaySocket
  readonly peer: WsPeer
  readonly budget: RelayBudget
  receive: (type: number, payload: Buffer) => void
  detach: () => void
}

/** Attaches sockets of other nodes to the sessions of this one. */
export class RelayServer {
  readonly #deps: RelayServerDeps
  /** By node and number of the socket. */
  readonly #links = new Map<string, Link>()

  constructor(deps: RelayServerDeps) {
    this.#deps = deps
    const { bus, sessions } = deps
    attachGlasses.handle(bus, (request, from) => this.#attachGlasses(from, request))
    attachApp.handle(bus, (request, from) => this.#attachApp(from, request))
    invalidAppKey.handle(bus, ({ userSessionId, packageName }) =>
      sessions.byUserSessionId(userSessionId)?.session.recordInvalidAppKey(packageName),
    )
    bus.onConnectionChange((isConnected) => isConnected || this.#detachAll(() => true))
  }

  /** Detaches the sockets of a lost node. */
  detachNode(nodeId: string): void {
    this.#detachAll((link) => link.node === nodeId)
  }

  /** Receives a frame of the node that holds a socket. */
  receive(from: string, frame: Buffer): void {
    const { type, link: id, epoch, dialect, payload } = decodeRelayFrame(frame)
    const key = keyOf(from, id)
    const link = this.#links.get(key)
    if (!link || link.epoch !== epoch) return
    // Sessions whose lease has lapsed are abandoned by this check, before anything reaches them.
    const isOwner = this.#deps.isOwner()
    // Also without a lease: the sockets of abandoned sessions close while this node has none.
    if (type === RELAY.detach) return this.#detach(key, link)
    if (!isOwner) return
    if (dialect !== undefined) link.peer.setDialect(dialect)
    if (type === RELAY.written) link.socket.written(payload.readUInt32BE(0))
    else if (!isMessage(type) || link.budget.take(payload.byteLength, link.peer)) link.receive(type, payload)
  }

  async #attachGlasses(from: string, request: AttachGlassesRequest): Promise<AttachResult> {
    const socket = this.#createSocket(from, request)
    const peer = new RelayGlassesPeer(socket, this.#deps, request, {
      setFormat: (format) =>
        this.#send(from, request, RELAY.audioFormat, Buffer.from(JSON.stringify(format))),
      isAlive: () => isGlassesAlive.send(this.#deps.bus, from, { link: request.link }).catch(() => false),
    })
    const budget = new RelayBudget(this.#deps, `glasses ${request.userId}`, 'connection_error')
    return this.#attach(from, request, { socket, peer, budget }, async ({ session }, link) => {
      link.receive = (type, payload) => receiveFromGlasses(session, peer, type, payload)
      link.detach = () => session.detachGlasses(peer)
      await session.connectGlasses(peer)
      return { kind: 'attached' }
    })
  }

  async #attachApp(from: string, request: AttachAppRequest): Promise<AttachResult> {
    const { gateway, limits, events } = this.#deps
    const { packageName, userSessionId } = request
    const socket = this.#createSocket(from, request)
    const peer = new WsPeer(socket, limits, events, request.dialect, 'flat')
    const budget = new RelayBudget(this.#deps, `app ${userSessionId} ${packageName}`, 'tpa_connection_error')
    return this.#attach(from, request, { socket, peer, budget }, async (hosted, link) => {
      const { address } = request
      const generation = isSdkGeneration(request.sdk) ? request.sdk : 'current'
      const attachment = await gateway.attachAppTo(hosted.session, { packageName, address, generation }, peer)
      if (!attachment) return { kind: 'gone' }
      if (!attachment.ok) return { kind: 'rejected', rejection: attachment }
      const { session } = attachment
      link.receive = (type, payload) => receiveFromApp(session, packageName, peer, type, payload)
      link.detach = () => session.detachApp(packageName, peer)
      return { kind: 'attached' }
    })
  }

  /** Attaches a socket. The other node may give up meanwhile: then its link is removed, and the socket is closed. */
  async #attach(
    from: string,
    request: AttachRequest,
    parts: Pick<Link, 'socket' | 'peer' | 'budget'>,
    attach: (hosted: HostedSession, link: Link) => Promise<AttachResult>,
  ): Promise<AttachResult> {
    const key = keyOf(from, request.link)
    const link: Link = { node: from, epoch: request.epoch, ...parts, receive() {}, detach() {} }
    this.#links.set(key, link)
    const hosted = await this.#find(request)
    const isWanted = () => this.#links.get(key) === link
    const result = hosted && isWanted() ? await attach(hosted, link) : { kind: 'gone' as const }
    if (result.kind === 'attached' && !isWanted()) link.detach()
    else if (result.kind !== 'attached' && isWanted()) this.#detach(key, link)
    return result
  }

  async #find(request: AttachRequest): Promise<HostedSession | undefined> {
    const { sessions, isOwner } = this.#deps
    if (!isOwner()) return undefined
    const hosted = await sessions.findOwned(request)
    return isOwner() ? hosted : undefined
  }

  #createSocket(from: string, request: AttachRequest): RelaySocket {
    return new RelaySocket((type, payload) => {
      const context = type === RELAY.text ? ifRecorded(this.#deps.tracing?.current()) : undefined
      if (context !== undefined) this.#send(from, request, RELAY.trace, Buffer.from(context))
      this.#send(from, request, type, payload)
    })
  }

  #send(to: string, { link, epoch }: AttachRequest, type: number, payload: Uint8Array): void {
    this.#deps.bus.send(to, FRAME_KINDS.relay, encodeRelayFrame({ type, link, epoch, payload }))
  }

  #detach(key: string, link: Link): void {
    this.#links.delete(key)
    link.budget.release()
    link.socket.closed()
    link.detach()
  }

  #detachAll(isLost: (link: Link) => boolean): void {
    for (const [key, link] of [...this.#links]) if (isLost(link)) this.#detach(key, link)
  }
}

/** The glasses socket of another node as a peer of the session. Its audio is decoded there. */
class RelayGlassesPeer extends WsPeer implements GlassesPeer {
  readonly userAgent: string | undefined
  readonly setAudioFormat: (format: AudioFormat) => void
  readonly isAlive: () => Promise<boolean>

  constructor(
    socket: RelaySocket,
    { limits, events }: Pick<RelayServerDeps, 'limits' | 'events'>,
    { dialect, userAgent }: AttachGlassesRequest,
    node: { setFormat(format: AudioFormat): void; isAlive(): Promise<boolean> },
  ) {
    super(socket, limits, events, dialect, 'both')
    this.userAgent = userAgent
    this.setAudioFormat = node.setFormat
    this.isAlive = node.isAlive
  }
}

function receiveFromGlasses(session: UserSession, peer: WsPeer, type: number, payload: Buffer): void {
  switch (type) {
    case RELAY.message:
      return session.handleGlassesMessage(peer, parse<GlassesToCloud>(payload))
    case RELAY.unknownMessage:
      return session.handleUnknownGlassesMessage(peer, parse<Message>(payload))
    case RELAY.audio:
      // A copy of its own: samples must be aligned, and a part would keep the whole batch in memory.
      return session.handleGlassesAudio(peer, Buffer.from(payload))
    case RELAY.undecodableAudio:
      return session.handleUndecodableAudio(peer)
    case RELAY.droppedAudio:
      return session.handleDroppedAudio(peer, payload.readUInt32BE(0))
  }
}

function receiveFromApp(
  session: AppSocketSession,
  packageName: string,
  peer: WsPeer,
  type: number,
  payload: Buffer,
): void {
  if (type === RELAY.message) session.handleAppMessage(packageName, peer, parse<AppToCloud>(payload))
}

function isMessage(type: number): boolean {
  return type === RELAY.message || type === RELAY.unknownMessage
}

/** Parses a message, which the other node has validated. */
function parse<Type>(payload: Buffer): Type {
  return JSON.parse(payload.toString()) as Type
}

function keyOf(node: string, link: number): string {
  return `${node} ${link}`
}
