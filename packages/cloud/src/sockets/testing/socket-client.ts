import { EventEmitter, once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ClientOptions, WebSocket, WebSocketServer } from 'ws'

/** A message as received. */
export type Frame = Readonly<Record<string, unknown>>

/** The code and reason that a socket was closed with. */
export interface Closing {
  readonly code: number
  readonly reason: string
}

/** A test, or anything that runs cleanup functions at its end. */
interface Scope {
  after(undo: () => unknown): void
}

/** Deadline of every wait. */
const DEADLINE_MS = 20_000

/** A socket client that records all received frames in order. */
export class SocketClient {
  readonly ws: WebSocket
  readonly frames: Frame[] = []
  readonly audio: Buffer[] = []
  #closing: Closing | undefined
  readonly #arrivals = new EventEmitter().setMaxListeners(0)
  #read = 0

  private constructor(ws: WebSocket) {
    this.ws = ws
    ws.on('error', () => {})
    ws.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) this.audio.push(data)
      else this.frames.push(JSON.parse(data.toString()))
      this.#arrivals.emit('frame')
    })
    ws.on('close', (code, reason) => {
      this.#closing = { code, reason: reason.toString() }
      this.#arrivals.emit('close')
    })
  }

  /** Connects; the socket is terminated when the scope ends. */
  static async open(
    scope: Scope,
    url: string,
    { protocols = [], ...options }: ClientOptions & { readonly protocols?: string[] } = {},
  ): Promise<SocketClient> {
    const client = new SocketClient(new WebSocket(url, protocols, options))
    scope.after(() => client.ws.terminate())
    await once(client.ws, 'open', { signal: AbortSignal.timeout(DEADLINE_MS) })
    return client
  }

  /** Sends an object as JSON, a string unchanged, and bytes as a binary frame. */
  send(message: Frame | string | Uint8Array): void {
    const raw = typeof message === 'string' || message instanceof Uint8Array
    this.ws.send(raw ? message : JSON.stringify(message))
  }

  /** Waits for the next message of a type, skipping other messages. */
  async next(type: string): Promise<Frame> {
    const signal = AbortSignal.timeout(DEADLINE_MS)
    while (true) {
      while (this.#read < this.frames.length) {
        const frame = this.frames[this.#read++]
        if (frame?.type === type) return frame
      }
      await once(this.#arrivals, 'frame', { signal }).catch((cause) => {
        throw new Error(`received no ${type}, but ${JSON.stringify(this.frames.slice(-5))}`, { cause })
      })
    }
  }

  /** Returns all messages of a type received so far. */
  of(type: string): Frame[] {
    return this.frames.filter((frame) => frame.type === type)
  }

  /** Resolves once this many binary frames have been received. */
  async waitForAudio(count: number): Promise<void> {
    const signal = AbortSignal.timeout(DEADLINE_MS)
    while (this.audio.length < count) await once(this.#arrivals, 'frame', { signal })
  }

  /** Resolves once the socket is closed. */
  async closed(): Promise<Closing> {
    const signal = AbortSignal.timeout(DEADLINE_MS)
    while (this.#closing === undefined) await once(this.#arrivals, 'close', { signal })
    return this.#closing
  }
}

/** The response to a rejected handshake. */
export interface RejectedHandshake {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: Frame
}

/** Attempts a handshake that must be rejected, and reads the response. */
export async function rejectedHandshake(
  url: string,
  options: ClientOptions = {},
): Promise<RejectedHandshake> {
  const ws = new WebSocket(url, options)
  ws.on('open', () => ws.emit('error', new Error('the socket was opened')))
  ws.on('close', () => ws.emit('error', new Error('the socket was closed without a response')))
  const [, response] = await once(ws, 'unexpected-response', { signal: AbortSignal.timeout(DEADLINE_MS) })
  ws.removeAllListeners()
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return {
    status: response.statusCode,
    headers: response.headers,
    body: JSON.parse(Buffer.concat(chunks).toString()),
  }
}

/** Returns options with a bearer header. */
export function bearer(token: string): { readonly headers: { readonly authorization: string } } {
  return { headers: { authorization: `Bearer ${token}` } }
}

/** Both ends of a socket on loopback. */
export interface SocketPair {
  readonly server: WebSocket
  readonly client: SocketClient
}

/** Connects a client to a server socket without handlers; both are closed when the scope ends. */
export async function socketPair(scope: { after(undo: () => unknown): void }): Promise<SocketPair> {
  const wss = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  scope.after(() => {
    for (const ws of wss.clients) ws.terminate()
    wss.close()
  })
  await once(wss, 'listening')
  const connected = once(wss, 'connection')
  const { port } = wss.address() as AddressInfo
  const client = await SocketClient.open(scope, `ws://127.0.0.1:${port}`)
  const [server] = await connected
  return { server, client }
}
