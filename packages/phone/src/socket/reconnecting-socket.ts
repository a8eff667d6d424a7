import { NORMAL_CLOSURE, shouldReconnect } from '@glasses-cloud/contract'
import { EventEmitter } from '#events'
import type { Clock, Timer } from '../clock.ts'
import type { OpenSocket, PlatformSocket, SocketEnd } from '../platform/platform.ts'

/** Exponential backoff between connection attempts. */
export interface BackoffPolicy {
  /** Delay before the first retry. */
  readonly firstMs: number
  /** Upper limit of the delay. */
  readonly maxMs: number
  /** Growth of the delay per attempt. */
  readonly factor: number
  /** Random share of each delay, 0 to 1, so that many clients do not reconnect simultaneously. */
  readonly jitter: number
}

/** 0.5 s, doubling up to 30 s, with up to half of each delay subtracted at random. */
export const DEFAULT_BACKOFF: BackoffPolicy = { firstMs: 500, maxMs: 30_000, factor: 2, jitter: 0.5 }

/**
 * Delay before retry number `attempt` (from 0), in whole milliseconds.
 * @param random in [0, 1)
 */
export function backoffDelay(policy: BackoffPolicy, attempt: number, random: number): number {
  const full = Math.min(policy.maxMs, policy.firstMs * policy.factor ** attempt)
  return Math.round(full * (1 - policy.jitter * random))
}

export interface ReconnectingSocketOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly protocols: string[]
  /** `false` disables reconnecting. */
  readonly backoff: BackoffPolicy | false
  readonly openSocket: OpenSocket
  readonly clock: Clock
  readonly random: () => number
}

interface ReconnectingSocketEvents {
  open: []
  /** A received frame as text; binary frames are decoded as text too, as phones do. */
  frame: [text: string]
  /** A frame was sent: its text, or its number of bytes if it is binary. */
  sent: [frame: string | number]
  close: [CloseInfo]
  retry: [{ attempt: number; delayMs: number }]
  error: [Error]
}

/** Deadline for the closing handshake; the socket is terminated afterwards. */
const CLOSE_TIMEOUT_MS = 2_000

/**
 * WebSocket that reconnects after a loss, with exponential backoff and jitter, unless the close code or the status of
 * the rejected handshake is final.
 */
export class ReconnectingSocket extends EventEmitter<ReconnectingSocketEvents> {
  readonly #options: ReconnectingSocketOptions
  #socket: PlatformSocket | undefined
  #retryTimer: Timer
  #attempt = 0
  #shouldConnect = false

  constructor(options: ReconnectingSocketOptions) {
    super()
    this.#options = options
  }

  get isOpen(): boolean {
    return this.#socket?.isOpen === true
  }

  /** Connects and keeps reconnecting until `close`. Idempotent. */
  open(): void {
    if (this.#shouldConnect) return
    this.#shouldConnect = true
    this.#attempt = 0
    this.#connect()
  }

  /** Makes the next loss start with the shortest delay. Called when the cloud acknowledges the connection. */
  resetBackoff(): void {
    this.#attempt = 0
  }

  /** Closes the connection without reconnecting; resolves when the socket is closed. */
  async close(code = NORMAL_CLOSURE, reason = ''): Promise<void> {
    const socket = this.#socket
    const isRetrying = this.#shouldConnect && !socket
    this.#shouldConnect = false
    this.#options.clock.clearTimeout(this.#retryTimer)
    if (isRetrying) this.emit('close', { code, reason, willReconnect: false })
    if (!socket) return
    const closed = new Promise<void>((resolve) => this.once('close', () => resolve()))
    socket.close(code, reason)
    const closeTimer = this.#options.clock.setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS)
    await closed
    this.#options.clock.clearTimeout(closeTimer)
  }

  /** Drops the connection without a closing handshake, as a lost network does. Reconnects afterwards. */
  terminate(): void {
    this.#socket?.terminate()
  }

  /**
   * Sends a text frame.
   * @throws {Error} if the connection is not open
   */
  sendText(text: string): void {
    this.#requireOpen().sendText(text)
    this.emit('sent', text)
  }

  /** Sends a binary frame; resolves when it is written to the network. */
  sendBinary(frame: Uint8Array): Promise<void> {
    const written = this.#requireOpen().sendBinary(frame)
    this.emit('sent', frame.length)
    return written
  }

  #requireOpen(): PlatformSocket {
    if (!this.#socket?.isOpen) throw new Error('The glasses are not connected')
    return this.#socket
  }

  #connect(): void {
    const socket = this.#options.openSocket(this.#options, {
      open: () => this.emit('open'),
      frame: (text) => this.emit('frame', text),
      error: (error) => this.emit('error', error),
      close: (end) => this.#handleClose(socket, end),
    })
    this.#socket = socket
  }

  #handleClose(socket: PlatformSocket, end: SocketEnd): void {
    if (this.#socket !== socket) return
    this.#socket = undefined
    const { status, code } = end
    const willReconnect =
      this.#shouldConnect &&
      this.#options.backoff !== false &&
      (status === undefined ? shouldReconnect(code) : isRetryableStatus(status))
    this.#shouldConnect = willReconnect
    this.emit('close', { ...end, willReconnect })
    if (willReconnect) this.#scheduleRetry()
  }

  #scheduleRetry(): void {
    const { backoff, clock, random } = this.#options
    if (backoff === false) return
    const attempt = this.#attempt++
    const delayMs = backoffDelay(backoff, attempt, random())
    this.#retryTimer = clock.setTimeout(() => this.#connect(), delayMs)
    this.emit('retry', { attempt: attempt + 1, delayMs })
  }
}

/** How a connection, or an attempt to connect, ended. */
export interface CloseInfo {
  /** WebSocket close code; 1006 if the connection was lost or never established. */
  readonly code: number
  readonly reason: string
  /** HTTP status of a rejected handshake. */
  readonly status?: number
  /** Whether the client retries automatically. */
  readonly willReconnect: boolean
}

/** Whether to retry a handshake rejected with this HTTP status: server errors, timeouts and rate limits (SIM-3). */
function isRetryableStatus(status: number): boolean {
  return status >= 500 || status === 408 || status === 429
}
