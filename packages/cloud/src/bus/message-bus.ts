import { randomBytes } from 'node:crypto'
import { type Clock, systemClock } from '../time/index.ts'
import { NO_TRACING, type Tracing } from '../tracing/index.ts'
import {
  type Bus,
  BusError,
  type BusTransport,
  FRAME_KINDS,
  type FrameKind,
  type RequestHandler,
  type Subscription,
  type Unsubscribe,
} from './bus.ts'
import { NodeChannels, nodeChannel } from './node-channels.ts'
import { Requests } from './requests.ts'

export interface MessageBusOptions {
  readonly clock?: Clock
  /** Runs a task once the current events are processed. */
  readonly defer?: (task: () => void) => void
  /** Random by default. */
  readonly nodeId?: string
  readonly tracing?: Tracing
  /** Receives exceptions of listeners. */
  readonly failed?: (error: unknown) => void
}

/** The listeners of a channel. */
interface Subscribers {
  readonly listeners: Set<(payload: Buffer) => void>
  /** Resolves once the transport receives messages of the channel. */
  readonly ready: Promise<void>
}

/** A bus over a transport. */
export class MessageBus implements Bus {
  readonly nodeId: string
  readonly #transport: BusTransport
  readonly #requests: Requests
  readonly #channels: NodeChannels
  readonly #subscribers = new Map<string, Subscribers>()
  readonly #receivers = new Map<number, (from: string, payload: Buffer) => void>()
  readonly #connectionListeners = new Set<(isConnected: boolean) => void>()
  readonly #lossListeners = new Set<(nodeId: string) => void>()
  readonly #failed: (error: unknown) => void

  constructor(transport: BusTransport, options: MessageBusOptions = {}) {
    this.#transport = transport
    this.#failed = options.failed ?? (() => {})
    this.nodeId = options.nodeId ?? randomBytes(8).toString('hex')
    this.#channels = new NodeChannels({
      nodeId: this.nodeId,
      clock: options.clock ?? systemClock,
      defer: options.defer ?? setImmediate,
      publish: (channel, batch) => transport.publish(channel, batch),
      // An exception must not lose the frames after it: they concern other users.
      received: (from, kind, payload) => this.#run(() => this.#receivers.get(kind)?.(from, payload)),
      lost: (nodeId, error) => this.#lose(nodeId, error),
      stalled: () => transport.reconnect(),
    })
    this.#requests = new Requests({
      clock: options.clock ?? systemClock,
      send: (nodeId, kind, payload) => this.send(nodeId, kind, payload),
      tracing: options.tracing ?? NO_TRACING,
    })
    this.receive(FRAME_KINDS.request, (from, payload) => this.#requests.receiveRequest(from, payload))
    this.receive(FRAME_KINDS.response, (_, payload) => this.#requests.receiveResponse(payload))
    transport.start({
      message: (channel, payload) => this.#dispatch(channel, payload),
      connectionChanged: (isConnected) => this.#connectionChanged(isConnected),
    })
    this.subscribe(nodeChannel(this.nodeId), (batch) => this.#channels.receive(batch))
  }

  get isConnected(): boolean {
    return this.#transport.isConnected
  }

  onConnectionChange(listener: (isConnected: boolean) => void): Unsubscribe {
    this.#connectionListeners.add(listener)
    return () => this.#connectionListeners.delete(listener)
  }

  onNodeLost(listener: (nodeId: string) => void): Unsubscribe {
    this.#lossListeners.add(listener)
    return () => this.#lossListeners.delete(listener)
  }

  dropNode(nodeId: string): void {
    if (this.isConnected) this.#channels.renew(nodeId)
    this.#lose(nodeId, new BusError('LOST', 'The other node is gone'))
  }

  publish(channel: string, payload: Uint8Array): void {
    // A lost message is reported as a lost connection.
    if (this.isConnected) this.#transport.publish(channel, asBuffer(payload)).catch(() => {})
  }

  subscribe(channel: string, listener: (payload: Buffer) => void): Subscription {
    let subscribers = this.#subscribers.get(channel)
    if (!subscribers) {
      subscribers = { listeners: new Set(), ready: this.#transport.subscribe(channel) }
      this.#subscribers.set(channel, subscribers)
    }
    // One listener may subscribe several times.
    const entry = (payload: Buffer) => listener(payload)
    subscribers.listeners.add(entry)
    const close = () => {
      const listeners = this.#subscribers.get(channel)?.listeners
      if (!listeners?.delete(entry) || listeners.size > 0) return
      this.#subscribers.delete(channel)
      this.#transport.unsubscribe(channel)
    }
    return { ready: subscribers.ready, close }
  }

  async request(nodeId: string, method: string, argument: unknown, timeoutMs: number): Promise<unknown> {
    if (!this.isConnected) throw new BusError('DISCONNECTED', 'This node has no connection to other nodes')
    return this.#requests.request(nodeId, method, argument, timeoutMs)
  }

  handle(method: string, handler: RequestHandler): void {
    this.#requests.handle(method, handler)
  }

  send(nodeId: string, kind: FrameKind, payload: Uint8Array): void {
    if (this.isConnected) this.#channels.send(nodeId, { kind, payload })
  }

  receive(kind: FrameKind, receiver: (from: string, payload: Buffer) => void): void {
    this.#receivers.set(kind, receiver)
  }

  async close(): Promise<void> {
    this.#requests.fail(new BusError('DISCONNECTED', 'This node is stopping'))
    await this.#transport.close()
  }

  #dispatch(channel: string, payload: Buffer): void {
    for (const listener of this.#subscribers.get(channel)?.listeners ?? []) this.#run(() => listener(payload))
  }

  #connectionChanged(isConnected: boolean): void {
    if (!isConnected) {
      this.#channels.reset()
      this.#requests.fail(new BusError('LOST', 'The connection to other nodes was lost'))
    } else this.#channels.renewAll()
    for (const listener of this.#connectionListeners) this.#run(() => listener(isConnected))
  }

  #lose(nodeId: string, error: BusError): void {
    this.#requests.fail(error, nodeId)
    for (const listener of this.#lossListeners) this.#run(() => listener(nodeId))
  }

  /** Runs a listener, whose exception must not keep others from running. */
  #run(task: () => void): void {
    try {
      task()
    } catch (error) {
      this.#failed(error)
    }
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
