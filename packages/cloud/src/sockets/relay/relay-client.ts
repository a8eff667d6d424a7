import { type AudioFormat, closeFrames } from '@glasses-cloud/contract'
import { type Bus, BusError, FRAME_KINDS } from '../../bus/index.ts'
import type { Random } from '../../session/index.ts'
import type { OwnedPlace, SessionUser } from '../../session-host/index.ts'
import { type Clock, toIsoString } from '../../time/index.ts'
import { NO_TRACING, readTraceParent, type TraceParent, type Tracing } from '../../tracing/index.ts'
import type { SocketLimits } from '../limits.ts'
import type { AppAttachment, AppTarget, GlassesSession } from '../session-gateway.ts'
import type { SocketBudgets } from '../socket-budget.ts'
import type { WsGlassesPeer, WsPeer } from '../ws-peer.ts'
import {
  type AttachRequest,
  type AttachResult,
  attachApp,
  attachGlasses,
  invalidAppKey,
  isGlassesAlive,
} from './relay-calls.ts'
import { decodeRelayFrame, EMPTY_PAYLOAD, encodeRelayFrame, numberPayload, RELAY } from './relay-frame.ts'
import { CLOSE_CODE_BYTES } from './relay-socket.ts'

/** How often dropped messages are reported. */
const REPORT_INTERVAL_MS = 1_000

export interface RelayBudgetDeps {
  readonly clock: Clock
  readonly limits: SocketLimits
  /** The budgets that sockets of this node use as well. */
  readonly budgets: SocketBudgets
}

/**
 * What the user of a socket on another node may send. The node with the socket limits it too, but only the owner of the
 * session sees the sockets on all nodes: reconnecting to another node does not refill the budget (decision L2).
 */
export class RelayBudget {
  readonly #deps: RelayBudgetDeps
  readonly #key: string
  readonly #errorType: 'connection_error' | 'tpa_connection_error'
  readonly #messages: ReturnType<SocketBudgets['acquire']>['messages']
  #reportedAt = Number.NEGATIVE_INFINITY

  constructor(deps: RelayBudgetDeps, key: string, errorType: 'connection_error' | 'tpa_connection_error') {
    this.#deps = deps
    this.#key = key
    this.#errorType = errorType
    this.#messages = deps.budgets.acquire(key).messages
  }

  /** Charges a message. @returns false if it must be dropped, which is reported once a second */
  take(bytes: number, peer: WsPeer): boolean {
    const { clock, limits } = this.#deps
    if (this.#messages.take(Math.max(1, Math.ceil(bytes / limits.messageBytes)))) return true
    const now = clock.monotonicNow()
    if (now - this.#reportedAt < REPORT_INTERVAL_MS) return false
    this.#reportedAt = now
    const message = `More than ${limits.messagesPerSecond} messages a second; the excess was dropped`
    const error = { code: 'RATE_LIMITED', message, timestamp: toIsoString(clock.now()) } as const
    peer.send({ type: this.#errorType, ...error })
    return false
  }

  release(): void {
    this.#deps.budgets.release(this.#key)
  }
}

/** Bytes that are written to a socket before they are reported to the owner: less than its limits for slow readers. */
const REPORT_BYTES = 16 * 1024

/** A socket of this node that is attached to a session on another. */
interface Link {
  readonly id: number
  readonly nodeId: string
  readonly epoch: number
  readonly peer: WsPeer | WsGlassesPeer
  /** Whether the owner has attached the socket. Until then, the loss of the owner is answered by another attempt. */
  isAttached: boolean
  isLost: boolean
  /** The span that caused the next text frame. */
  trace: TraceParent | undefined
  writtenBytes: number
}

/** Attaches sockets of this node to sessions on other nodes. */
export class RelayClient {
  readonly #bus: Bus
  readonly #tracing: Tracing
  readonly #nodeIdOf: (holder: string) => string
  readonly #links = new Map<number, Link>()
  #lastLink = 0

  constructor(bus: Bus, nodeIdOf: (holder: string) => string, tracing: Tracing = NO_TRACING) {
    this.#bus = bus
    this.#tracing = tracing
    this.#nodeIdOf = nodeIdOf
    bus.onConnectionChange((isConnected) => isConnected || this.closeAll())
    isGlassesAlive.handle(bus, ({ link }) => {
      const peer = this.#links.get(link)?.peer
      return peer !== undefined && 'isAlive' in peer && peer.isAlive()
    })
  }

  /** Number of sockets that are attached to sessions on other nodes. */
  get size(): number {
    return this.#links.size
  }

  /**
   * @returns undefined if the node does not own the session any more, or cannot be reached, or the socket is closed: a node
   *   that was frozen finds connections that their clients gave up, and they must not replace the present ones
   */
  async attachGlasses(
    place: OwnedPlace,
    { id: userId }: SessionUser,
    peer: WsGlassesPeer,
  ): Promise<GlassesSession | undefined> {
    if (!peer.isOpen) return undefined
    const link = this.#open(place, peer)
    const result = await this.#attach(link, place, (request) =>
      attachGlasses.send(this.#bus, link.nodeId, {
        ...request,
        userId,
        ...(peer.userAgent === undefined ? {} : { userAgent: peer.userAgent }),
      }),
    )
    if (result?.kind !== 'attached') return undefined
    return {
      handleGlassesMessage: (_, message) => this.#sendJson(link, RELAY.message, message),
      handleUnknownGlassesMessage: (_, message) => this.#sendJson(link, RELAY.unknownMessage, message),
      handleGlassesAudio: (_, pcm) => this.#send(link, RELAY.audio, pcm),
      handleUndecodableAudio: () => this.#send(link, RELAY.undecodableAudio, EMPTY_PAYLOAD),
      handleDroppedAudio: (_, ms) => this.#send(link, RELAY.droppedAudio, numberPayload(Math.round(ms))),
      detachGlasses: () => this.#detach(link),
    }
  }

  /** @returns undefined as `attachGlasses` */
  async attachApp(
    place: OwnedPlace,
    { packageName, address, generation }: AppTarget,
    peer: WsPeer,
  ): Promise<AppAttachment | undefined> {
    const { userSessionId, userId } = place
    if (!peer.isOpen) return undefined
    const link = this.#open(place, peer)
    const result = await this.#attach(link, place, (request) =>
      attachApp.send(this.#bus, link.nodeId, { ...request, userId, packageName, address, sdk: generation }),
    )
    if (result === undefined || result.kind === 'gone') return undefined
    if (result.kind === 'rejected') return result.rejection
    return {
      ok: true,
      session: {
        userSessionId,
        handleAppMessage: (_, __, message) => this.#sendJson(link, RELAY.message, message),
        detachApp: () => this.#detach(link),
      },
    }
  }

  /** Reports an invalid API key to the owner of a session. */
  recordInvalidAppKey({ owner, userSessionId }: OwnedPlace, packageName: string): void {
    invalidAppKey.send(this.#bus, this.#nodeIdOf(owner), { userSessionId, packageName }).catch(() => {})
  }

  /** Closes the sockets, because this node may no longer serve them. */
  closeAll(): void {
    for (const link of [...this.#links.values()]) this.#close(link)
  }

  /** Closes the sockets that are attached to sessions of a lost node; those that wait are attached to the next owner. */
  closeNode(nodeId: string): void {
    for (const link of [...this.#links.values()]) {
      if (link.nodeId !== nodeId) continue
      if (link.isAttached) this.#close(link)
      else link.isLost = true
    }
  }

  /**
   * Closes the sockets because this node stops, spread over a time, so that not all clients reconnect at once. Each
   * works until it is closed.
   */
  async drain(clock: Clock, random: Random, spreadMs: number): Promise<void> {
    const { code, reason } = closeFrames.RESTARTING
    const closings = [...this.#links.values()].map(
      (link) =>
        new Promise<void>((resolve) => {
          clock.after(random() * spreadMs, () => {
            // The owner is told once the socket is closed.
            if (this.#links.has(link.id)) link.peer.close(code, reason)
            resolve()
          })
        }),
    )
    await Promise.all(closings)
  }

  /** Receives a frame of the owner of a session. */
  receive(from: string, frame: Buffer): void {
    const { type, link: id, epoch, payload } = decodeRelayFrame(frame)
    const link = this.#links.get(id)
    // An owner that was replaced may still send.
    if (!link || link.nodeId !== from || link.epoch !== epoch) return
    switch (type) {
      case RELAY.trace:
        link.trace = readTraceParent(payload.toString())
        return
      case RELAY.text:
        if (link.trace !== undefined) return this.#relayTraced(link, link.trace, payload)
        return link.peer.relay(payload, false, () => this.#written(link, payload.byteLength))
      case RELAY.binary:
        return link.peer.relay(payload, true, () => this.#written(link, payload.byteLength))
      case RELAY.close: {
        const reason = payload.toString('utf8', CLOSE_CODE_BYTES)
        return link.peer.close(payload.readUInt16BE(0), reason)
      }
      case RELAY.audioFormat:
        if ('setAudioFormat' in link.peer)
          link.peer.setAudioFormat(JSON.parse(payload.toString()) as AudioFormat)
    }
  }

  #relayTraced(link: Link, parent: TraceParent, payload: Buffer): void {
    link.trace = undefined
    const span = this.#tracing.start('socket.deliver', { parent })
    link.peer.relay(payload, false, () => {
      span.end()
      this.#written(link, payload.byteLength)
    })
  }

  #open({ owner, epoch }: OwnedPlace, peer: WsPeer | WsGlassesPeer): Link {
    this.#lastLink = (this.#lastLink + 1) % 2 ** 32
    const link: Link = {
      id: this.#lastLink,
      nodeId: this.#nodeIdOf(owner),
      epoch,
      peer,
      isAttached: false,
      isLost: false,
      trace: undefined,
      writtenBytes: 0,
    }
    this.#links.set(link.id, link)
    return link
  }

  async #attach(
    link: Link,
    { userSessionId, epoch }: OwnedPlace,
    send: (request: Omit<AttachRequest, 'userId'>) => Promise<AttachResult>,
  ): Promise<AttachResult | undefined> {
    const { dialect } = link.peer
    try {
      const result = await send({ link: link.id, userSessionId, epoch, ...(dialect && { dialect }) })
      if (result.kind !== 'attached') {
        this.#links.delete(link.id)
        return result
      }
      // The link may have been closed or lost before the response arrived.
      if (!link.isLost && this.#links.has(link.id)) {
        link.isAttached = true
        return result
      }
      this.#detach(link)
      return undefined
    } catch (error) {
      // The owner may have attached the socket although its response was lost.
      this.#detach(link)
      // A node of a version that does not know the request will not know it at the next attempt.
      const isFinal = !(error instanceof BusError) || error.code === 'FAILED' || error.code === 'UNSUPPORTED'
      if (!isFinal) return undefined
      throw error
    }
  }

  /** Detaches a socket; also one whose link was lost, because the owner may have attached it since. */
  #detach(link: Link): void {
    this.#links.delete(link.id)
    this.#write(link, RELAY.detach, EMPTY_PAYLOAD)
  }

  #sendJson(link: Link, type: number, message: object): void {
    this.#send(link, type, Buffer.from(JSON.stringify(message)))
  }

  #send(link: Link, type: number, payload: Uint8Array): void {
    if (this.#links.has(link.id)) this.#write(link, type, payload)
  }

  #write({ id, nodeId, epoch, peer }: Link, type: number, payload: Uint8Array): void {
    const frame = encodeRelayFrame({ type, link: id, epoch, dialect: peer.dialect, payload })
    this.#bus.send(nodeId, FRAME_KINDS.relay, frame)
  }

  #written(link: Link, bytes: number): void {
    link.writtenBytes += bytes
    if (link.writtenBytes < REPORT_BYTES) return
    this.#send(link, RELAY.written, numberPayload(link.writtenBytes))
    link.writtenBytes = 0
  }

  /** Closes a socket whose session can no longer be reached, so that its client reconnects. */
  #close({ id, peer }: Link): void {
    this.#links.delete(id)
    peer.close(closeFrames.NODE_LOST.code, closeFrames.NODE_LOST.reason)
  }
}
