/** Ends a subscription or removes a listener. May be called twice. */
export type Unsubscribe = () => void

/** A subscription to a channel. */
export interface Subscription {
  /** Resolves once messages are received; immediately while the bus is disconnected. */
  readonly ready: Promise<void>
  close: Unsubscribe
}

/** Kinds of one-way frames between two nodes; each has one receiver per node. */
export const FRAME_KINDS = { request: 1, response: 2, relay: 3, appMessage: 4 } as const

export type FrameKind = (typeof FRAME_KINDS)[keyof typeof FRAME_KINDS]

/** Answers a request of another node. An exception is reported to the caller with its message. */
export type RequestHandler = (argument: unknown, from: string) => unknown

/**
 * Connects the nodes of one cloud. Messages between two nodes arrive in order, at most once; they are lost while the
 * bus is disconnected. Payloads of `publish` and `send` are bytes; requests exchange values that `v8.serialize` accepts.
 */
export interface Bus {
  /** Identifies this process on the bus. Random, so that a restarted node is another one. */
  readonly nodeId: string
  /** Whether messages reach other nodes. */
  readonly isConnected: boolean
  /** Adds a listener for lost and restored connections. Every message on its way is lost with the connection. */
  onConnectionChange(listener: (isConnected: boolean) => void): Unsubscribe
  /**
   * Adds a listener for nodes that no longer receive or from which messages were lost. State that depends on an
   * uninterrupted exchange with the node must be discarded.
   */
  onNodeLost(listener: (nodeId: string) => void): Unsubscribe
  /** Reports that a node is gone, as its expired lease shows: pending requests fail and the listeners are called. */
  dropNode(nodeId: string): void

  /** Sends to every subscriber of the channel, on this node too. Does nothing while the bus is disconnected. */
  publish(channel: string, payload: Uint8Array): void
  subscribe(channel: string, listener: (payload: Buffer) => void): Subscription

  /**
   * Calls the handler of a method on a node.
   * @throws BusError, immediately if the node cannot be reached, at the latest after `timeoutMs`
   */
  request(nodeId: string, method: string, argument: unknown, timeoutMs: number): Promise<unknown>
  /** Sets the handler of a method. */
  handle(method: string, handler: RequestHandler): void

  /** Sends a frame to a node. Lost frames are reported through `onNodeLost` or `onConnectionChange`. */
  send(nodeId: string, kind: FrameKind, payload: Uint8Array): void
  /** Sets the receiver of a kind of frames. The payload is valid only during the call. */
  receive(kind: FrameKind, receiver: (from: string, payload: Buffer) => void): void

  close(): Promise<void>
}

/**
 * - DISCONNECTED: this node has no connection to the bus
 * - UNREACHABLE: the other node does not listen
 * - OVERLOADED: too many requests are pending
 * - TIMEOUT: no response within the deadline
 * - LOST: the connection or the other node was lost while the request was pending
 * - UNSUPPORTED: the other node runs a version that does not know the request, or not in this form
 * - FAILED: the handler threw an exception
 */
export const BUS_ERROR_CODES = [
  'DISCONNECTED',
  'UNREACHABLE',
  'OVERLOADED',
  'TIMEOUT',
  'LOST',
  'UNSUPPORTED',
  'FAILED',
] as const

export type BusErrorCode = (typeof BUS_ERROR_CODES)[number]

const NEVER_RUN: ReadonlySet<BusErrorCode> = new Set([
  'DISCONNECTED',
  'UNREACHABLE',
  'OVERLOADED',
  'UNSUPPORTED',
])

/** Thrown by a handler that does not know the form of a request: the caller gets the code UNSUPPORTED. */
export class UnsupportedRequest extends Error {}

/** Why a request to another node failed. */
export class BusError extends Error {
  readonly code: BusErrorCode

  constructor(code: BusErrorCode, message: string) {
    super(message)
    this.name = 'BusError'
    this.code = code
  }

  /** Whether the handler certainly did not run, so that the request may be repeated. */
  get isSafeToRetry(): boolean {
    return NEVER_RUN.has(this.code)
  }
}

/** What a transport reports to its bus. */
export interface TransportEvents {
  message(channel: string, payload: Buffer): void
  /** Called with false when messages may have been lost, and with true once every subscription is in effect again. */
  connectionChanged(isConnected: boolean): void
}

/** Carries messages by channel: at most once, and in order for one sender and one channel. */
export interface BusTransport {
  readonly isConnected: boolean
  /** Begins to report events. Called once. */
  start(events: TransportEvents): void
  /** Resolves once the subscription is in effect, or while disconnected immediately; it survives reconnects. */
  subscribe(channel: string): Promise<void>
  unsubscribe(channel: string): void
  /**
   * Resolves once the message is sent, with the number of receivers if the transport knows it.
   * @throws Error if the message may be lost
   */
  publish(channel: string, payload: Buffer): Promise<number | undefined>
  /** Disconnects and connects again. */
  reconnect(): void
  close(): Promise<void>
}
