import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import WebSocket from 'ws'
import type { Clock, Timer } from '../clock.ts'
import { type BackoffPolicy, backoffDelay } from './backoff.ts'
import { type CloseInfo, isRetryableClose, isRetryableStatus } from './close-info.ts'

/** What a link is made of. */
export interface ReconnectingSocketOptions {
  readonly url: string
  readonly headers: Record<string, string>
  readonly protocols: string[]
  /** `false`: one attempt only. */
  readonly backoff: BackoffPolicy | false
  readonly clock: Clock
  readonly random: () => number
}

interface ReconnectingSocketEvents {
  open: []
  /** One frame, as text; phones read binary frames as text too. */
  frame: [text: string]
  close: [CloseInfo]
  retry: [{ attempt: number; delayMs: number }]
  error: [Error]
}

/** A refused handshake answers with a small JSON body; more than this is not one of ours. */
const MAX_REJECTION_BYTES = 16_384

/** A server that accepts the connection but never the handshake is given up on after this long. */
const HANDSHAKE_TIMEOUT_MS = 10_000

/** A cloud that does not answer a goodbye is left without one after this long. */
const CLOSE_TIMEOUT_MS = 2_000

/**
 * One connection to the cloud that heals itself: it comes back after a loss with growing, jittered waits, and stays
 * away after a close or a refusal that would only repeat itself.
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

  /** Connects, and stays connected until `close`. Idempotent. */
  open(): void {
    if (this.#shouldConnect) return
    this.#shouldConnect = true
    this.#attempt = 0
    this.#connect()
  }

  /** The cloud acknowledged: the next loss begins with the shortest wait again. */
  resetBackoff(): void {
    this.#attempt = 0
  }

  /** Ends the connection for good; resolves when the socket is closed. */
  async close(code = 1000, reason = ''): Promise<void> {
    this.#shouldConnect = false
    this.#options.clock.clearTimeout(this.#retryTimer)
    const socket = this.#socket
    if (!socket || socket.readyState === WebSocket.CLOSED) return
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    socket.close(code, reason)
    const patience = this.#options.clock.setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS)
    await closed
    this.#options.clock.clearTimeout(patience)
  }

  /** Cuts the connection without a goodbye, as a lost network does. Reconnecting follows as after any loss. */
  terminate(): void {
    this.#socket?.terminate()
  }

  /** Sends one text frame; throws when there is no open connection. */
  sendText(text: string): void {
    this.#requireOpen().send(text)
  }

  /** Sends one binary frame; resolves when it is handed to the network. */
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
    let refusal: { status: number; reason: string } | undefined
    socket.on('open', () => this.emit('open'))
    socket.on('message', (data) => this.emit('frame', data.toString()))
    // A refusal is told by the close that follows; the error that goes with it says nothing of the cause.
    socket.on('error', (error) => refusal ?? this.emit('error', error))
    socket.on('unexpected-response', async (_request, response) => {
      refusal = { status: response.statusCode ?? 0, reason: await rejectionReason(response) }
      socket.terminate()
    })
    socket.on('close', (code, reason) => {
      if (this.#socket !== socket) return
      const again =
        this.#shouldConnect &&
        this.#options.backoff !== false &&
        (refusal ? isRetryableStatus(refusal.status) : isRetryableClose(code))
      this.#shouldConnect = again
      this.emit('close', {
        code,
        reason: refusal?.reason ?? reason.toString(),
        ...(refusal && { status: refusal.status }),
        willReconnect: again,
      })
      if (this.#shouldConnect) this.#scheduleRetry()
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

/** The sentence in the body of a refused handshake, or the status line where there is none. */
async function rejectionReason(response: IncomingMessage): Promise<string> {
  const fallback = `The cloud refused the connection with status ${response.statusCode}`
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
