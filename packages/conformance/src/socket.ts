import { EventEmitter, once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'
import { isRecord, shorten } from './expect.ts'
import { Deviation } from './outcome.ts'

/** A message as it is on the wire, in whatever dialect. */
export type Frame = Readonly<Record<string, unknown>>

/** How a handshake ended: with a socket, or rejected with a status. */
export type Handshake = { readonly socket: Socket } | { readonly status: number }

/** Options of a handshake. */
export interface HandshakeOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly protocols?: readonly string[]
}

const WAIT_MS = 5_000

/** A socket whose frames are read as they are on the wire. */
export class Socket {
  readonly frames: Frame[] = []
  readonly #binaryFrames: Uint8Array[] = []
  readonly #ws: WebSocket
  readonly #arrivals = new EventEmitter().setMaxListeners(0)
  #closing: { readonly code: number } | undefined
  #read = 0

  private constructor(ws: WebSocket) {
    this.#ws = ws
    ws.on('message', (data, isBinary) => {
      if (isBinary) this.#binaryFrames.push(data as Buffer)
      else this.frames.push(parseFrame(data.toString()))
      this.#arrivals.emit('change')
    })
    ws.on('close', (code) => {
      this.#closing = { code }
      this.#arrivals.emit('change')
    })
  }

  /** Sends a handshake and waits for its result. */
  static async shake(url: string, { headers = {}, protocols = [] }: HandshakeOptions): Promise<Handshake> {
    const ws = new WebSocket(url, [...protocols], { headers, handshakeTimeout: WAIT_MS })
    ws.on('error', () => {})
    const socket = new Socket(ws)
    const rejection = Promise.withResolvers<Handshake>()
    ws.on('unexpected-response', (_request, response: IncomingMessage) => {
      response.resume()
      ws.terminate()
      rejection.resolve({ status: response.statusCode ?? 0 })
    })
    ws.on('error', (error) =>
      rejection.reject(new Deviation(`The socket could not be opened: ${error.message}`)),
    )
    rejection.promise.catch(() => {})
    return Promise.race([
      rejection.promise,
      new Promise<Handshake>((resolve) => ws.on('open', () => resolve({ socket }))),
    ])
  }

  get isOpen(): boolean {
    return this.#ws.readyState === WebSocket.OPEN
  }

  /** Sends an object as JSON, a text as it is, and bytes as a binary frame. */
  send(content: object | string | Uint8Array): void {
    const isPlain = typeof content === 'string' || content instanceof Uint8Array
    this.#ws.send(isPlain ? content : JSON.stringify(content))
  }

  /** Waits for the next unread frame of a type, and marks the frames up to it as read. */
  async next(type: string, timeoutMs = WAIT_MS): Promise<Frame> {
    const find = () => {
      const at = this.frames.findIndex((frame, index) => index >= this.#read && frame.type === type)
      if (at < 0) return undefined
      this.#read = at + 1
      return this.frames[at]
    }
    return this.#wait(find, timeoutMs, `No ${type} within ${timeoutMs} ms`)
  }

  /** Waits for the next unread binary frame. */
  nextBinary(timeoutMs = WAIT_MS): Promise<Uint8Array> {
    return this.#wait(() => this.#binaryFrames.shift(), timeoutMs, `No binary frame within ${timeoutMs} ms`)
  }

  /** Waits until the socket is closed; returns the close code. */
  async closed(timeoutMs = WAIT_MS): Promise<number> {
    return (
      await this.#wait(
        () => this.#closing,
        timeoutMs,
        `The socket was not closed within ${timeoutMs} ms`,
        false,
      )
    ).code
  }

  /** Sends a WebSocket ping and waits for its pong. */
  async pingFrame(): Promise<void> {
    this.#ws.ping()
    await once(this.#ws, 'pong', { signal: AbortSignal.timeout(WAIT_MS) }).catch(() => {
      throw new Deviation(`No WebSocket pong within ${WAIT_MS} ms`)
    })
  }

  /** Closes in an orderly way. */
  close(): void {
    this.#ws.close(1000)
  }

  /** Drops the connection without a close frame. */
  drop(): void {
    this.#ws.terminate()
  }

  async #wait<Value>(
    find: () => Value | undefined,
    timeoutMs: number,
    complaint: string,
    endsWithSocket = true,
  ): Promise<Value> {
    const signal = AbortSignal.timeout(timeoutMs)
    for (;;) {
      const value = find()
      if (value !== undefined) return value
      if (endsWithSocket && this.#closing !== undefined)
        throw new Deviation(`${complaint}: the socket was closed with ${this.#closing.code}`)
      await once(this.#arrivals, 'change', { signal }).catch(() => {
        const received = this.frames.slice(this.#read).map((frame) => frame.type)
        throw new Deviation(`${complaint}; received ${received.length > 0 ? shorten(received) : 'nothing'}`)
      })
    }
  }
}

function parseFrame(text: string): Frame {
  try {
    const parsed: unknown = JSON.parse(text)
    return isRecord(parsed) ? parsed : { type: '(not an object)' }
  } catch {
    return { type: '(not JSON)' }
  }
}
