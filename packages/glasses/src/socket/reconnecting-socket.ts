import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { NORMAL_CLOSURE, shouldReconnect } from '@glasses-cloud/contract'
import WebSocket from 'ws'
import type { Clock, Timer } from '../clock.ts'
import { type BackoffPolicy, backoffDelay } from './backoff.ts'
import { type CloseInfo, isRetryableStatus } from './close-info.ts'

export interface ReconnectingSocketOptions {
  readonly url: string
  readonly headers: Record<string, string>
  readonly protocols: string[]
  /** `false` disables reconnecting. */
  readonly backoff: BackoffPolicy | false
  readonly clock: Clock
  readonly random: () => number
}

interface ReconnectingSocketEvents {
  open: []
  /** A received frame as text; binary frames are decoded as text too, as phones do. */
  frame: [text: string]
  close: [CloseInfo]
  retry: [{ attempt: number; delayMs: number }]
  error: [Error]
}

/** The cloud rejects handshakes with a small JSON body; larger bodies are ignored. */
const MAX_REJECTION_BYTES = 16_384

/** Deadline for the handshake after the TCP connection is open. */
const HANDSHAKE_TIMEOUT_MS = 10_000

/** Deadline for the closing handshake; the socket is terminated afterwards. */
const CLOSE_TIMEOUT_MS = 2_000

/**
 * WebSocket that reconnects after a loss, with exponential backoff and jitter, unless the close code or the status of
 * the rejected handshake is final.
 */
export class ReconnectingSocket extends EventEmitter<ReconnectingSocketEvents> {
  readonly #options: ReconnectingSocketOptions
  #socket: WebSocket | undefined
  #retryTimer: Timer
  #attempt = 0
  #shouldConnect = false

  constructor(options: ReconnectingSocketOptions) {
    super()
    this.#options = options
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN
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
    this.#shouldConnect = false
    this.#options.clock.clearTimeout(this.#retryTimer)
    const socket = this.#socket
    if (!socket || socket.readyState === WebSocket.CLOSED) return
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
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
    this.#requireOpen().send(text)
  }

  /** Sends a binary frame; resolves when it is written to the network. */
  sendBinary(frame: Uint8Array): Promise<void> {
    const socket = this.#requireOpen()
    return new Promise((resolve, reject) =>
      socket.send(frame, (error) => (error ? reject(error) : resolve())),
    )
  }

  #requireOpen(): WebSocket {
    if (this.#socket?.readyState !== WebSocket.OPEN) throw new Error('The glasses are not connected')
    return this.#socket
  }

  #connect(): void {
    const socket = new WebSocket(this.#options.url, this.#options.protocols, {
      headers: this.#options.headers,
      perMessageDeflate: false,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    })
    this.#socket = socket
    let rejection: { status: number; reason: string } | undefined
    socket.on('open', () => this.emit('open'))
    socket.on('message', (data) => this.emit('frame', data.toString()))
    // A rejected handshake is reported by the close event, which has the cause.
    socket.on('error', (error) => rejection ?? this.emit('error', error))
    socket.on('unexpected-response', async (_request, response) => {
      rejection = { status: response.statusCode ?? 0, reason: await rejectionReason(response) }
      socket.terminate()
    })
    socket.on('close', (code, reason) => {
      if (this.#socket !== socket) return
      const willReconnect =
        this.#shouldConnect &&
        this.#options.backoff !== false &&
        (rejection ? isRetryableStatus(rejection.status) : shouldReconnect(code))
      this.#shouldConnect = willReconnect
      this.emit('close', {
        code,
        reason: rejection?.reason ?? reason.toString(),
        ...(rejection && { status: rejection.status }),
        willReconnect,
      })
      if (willReconnect) this.#scheduleRetry()
    })
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

/** The `message` in the body of a rejected handshake, or a generic message with the status. */
async function rejectionReason(response: IncomingMessage): Promise<string> {
  const fallback = `The cloud rejected the connection with status ${response.statusCode}`
  try {
    let body = ''
    for await (const chunk of response) {
      body += chunk
      if (body.length > MAX_REJECTION_BYTES) return fallback
    }
    const parsed: unknown = JSON.parse(body)
    if (
      typeof parsed === 'object' &&
      parsed !== null &&
      'message' in parsed &&
      typeof parsed.message === 'string'
    ) {
      return parsed.message
    }
    return fallback
  } catch {
    return fallback
  }
}
