import { isObject } from '@glasses-cloud/contract'
import { WebSocket } from 'ws'
import type { SpeechFailure, SpeechFailureKind } from '../../session/index.ts'
import type { Clock, Timer } from '../../time/index.ts'
import { MAX_WAITING_BYTES, msOfBytes } from './speech-to-text.ts'

const MAX_MESSAGE_BYTES = 1024 * 1024
/** A provider that sends nothing for this long while it receives as much audio has stalled, in milliseconds. */
const STALL_MS = 5_000
/** Close codes of servers that end a session in the regular way. */
const REGULAR_CLOSE_CODES = [1000, 1001, 1012]

export interface ProviderSocketOptions {
  /** Name for failure messages. */
  readonly name: string
  readonly url: string | URL
  readonly headers?: Readonly<Record<string, string>>
  readonly clock: Clock
  /** A text that is sent after each interval without audio. */
  readonly keepAlive?: { readonly intervalMs: number; readonly message: string }
  /** Whether the provider responds continuously while it receives audio, so that its silence is a failure. */
  readonly respondsContinuously: boolean
  onOpen(): void
  /** Handles a JSON object. Other messages are failures. */
  onMessage(message: Record<string, unknown>): void
  /** Called once, when the connection failed. */
  onFailed(failure: SpeechFailure): void
  /** Classifies a rejected handshake from the reason that the provider gives; undefined: by the status. */
  rejectionKind?(status: number, reason: string): SpeechFailureKind | undefined
}

/** A WebSocket to a speech-to-text provider. */
export class ProviderSocket {
  readonly #options: ProviderSocketOptions
  readonly #socket: WebSocket
  #isClosed = false
  #keepAliveTimer: Timer | undefined
  #lastSentAt: number
  /** When audio was sent that no message has followed yet. */
  #unansweredSince: number | undefined
  #unansweredMs = 0
  #error: string | undefined

  constructor(options: ProviderSocketOptions) {
    this.#options = options
    this.#lastSentAt = options.clock.monotonicNow()
    this.#socket = new WebSocket(options.url, {
      headers: options.headers ?? {},
      perMessageDeflate: false,
      maxPayload: MAX_MESSAGE_BYTES,
      followRedirects: false,
    })
    this.#socket.on('open', () => {
      if (this.#isClosed) return
      this.#keepAlive()
      options.onOpen()
    })
    this.#socket.on('message', (data, isBinary) => this.#receive(String(data), isBinary))
    this.#socket.on('unexpected-response', (request, response) => {
      const status = response.statusCode ?? 0
      const reason = String(response.headers['dg-error'] ?? '')
      request.destroy()
      const kind = options.rejectionKind?.(status, reason) ?? kindOfStatus(status)
      this.fail(kind, kind === 'authentication' ? 'rejects the key' : `responded with status ${status}`)
    })
    this.#socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#error = `cannot be reached (${error.code ?? 'error'})`
    })
    this.#socket.on('close', (code) => {
      const isRegular = REGULAR_CLOSE_CODES.includes(code)
      if (this.#error === undefined && isRegular) this.fail('expired', 'ended the session')
      else this.fail('retryable', this.#error ?? `closed the connection with code ${code}`)
    })
  }

  /** Length of the audio that was sent since the last message of the provider, in milliseconds; 0 for audio as text. */
  get unansweredMs(): number {
    return this.#unansweredMs
  }

  sendJson(message: object): void {
    this.sendText(JSON.stringify(message))
  }

  sendText(text: string): void {
    if (this.#isClosed || this.#socket.readyState !== WebSocket.OPEN) return
    this.#lastSentAt = this.#options.clock.monotonicNow()
    this.#socket.send(text)
  }

  /** Sends audio, as a binary message or as what the provider expects instead. */
  sendAudio(data: Uint8Array | string): void {
    if (this.#isClosed || this.#socket.readyState !== WebSocket.OPEN) return
    const now = this.#options.clock.monotonicNow()
    this.#lastSentAt = now
    this.#socket.send(data)
    this.#unansweredSince ??= now
    if (typeof data !== 'string') this.#unansweredMs += msOfBytes(data.byteLength)
    // The time alone may contain a pause, and the audio alone what was kept while no provider was ready.
    const hasStalled = this.#unansweredMs >= STALL_MS && now - this.#unansweredSince >= STALL_MS
    if (this.#socket.bufferedAmount > MAX_WAITING_BYTES) this.#failLater('does not read the audio')
    else if (this.#options.respondsContinuously && hasStalled) this.#failLater('does not respond any more')
  }

  /** Reports a failure after the call of the session, which receives no events during it. */
  #failLater(what: string): void {
    setImmediate(() => this.fail('retryable', what))
  }

  /** Closes the connection and reports a failure; `what` completes the sentence "NAME …". */
  fail(kind: SpeechFailureKind, what: string): void {
    if (this.#isClosed) return
    this.close()
    this.#options.onFailed({ kind, message: `${this.#options.name} ${what}` })
  }

  /** Closes the connection; nothing is reported afterwards. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#keepAliveTimer?.cancel()
    // Without a closing handshake, because the provider may not respond.
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.close(1000)
    const force = this.#options.clock.after(1_000, () => this.#socket.terminate())
    this.#socket.on('close', () => force.cancel())
    if (this.#socket.readyState === WebSocket.CONNECTING) this.#socket.terminate()
  }

  #receive(text: string, isBinary: boolean): void {
    if (this.#isClosed) return
    this.#unansweredSince = undefined
    this.#unansweredMs = 0
    const message = isBinary ? undefined : parseObject(text)
    if (message) this.#options.onMessage(message)
    else this.fail('retryable', 'sent an invalid message')
  }

  #keepAlive(): void {
    const { keepAlive, clock } = this.#options
    if (!keepAlive || this.#isClosed) return
    const idleMs = clock.monotonicNow() - this.#lastSentAt
    if (idleMs >= keepAlive.intervalMs) this.sendText(keepAlive.message)
    const next = idleMs >= keepAlive.intervalMs ? keepAlive.intervalMs : keepAlive.intervalMs - idleMs
    this.#keepAliveTimer = clock.after(next, () => this.#keepAlive())
  }
}

/** Classifies an HTTP status or an error code that follows it. */
export function kindOfStatus(status: number): SpeechFailureKind {
  if (status === 401 || status === 403) return 'authentication'
  if (status === 402 || status === 429) return 'quota'
  return 'retryable'
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Narrows a value of a message to the objects of an array. */
export function objectsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** Narrows a value of a message to a finite number. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
