import { EventEmitter, once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { type ClientOptions, WebSocket } from 'ws'

/** A message as it stands on the wire. */
export type Frame = Readonly<Record<string, unknown>>

/** How a socket ended. */
export interface Closing {
  readonly code: number
  readonly reason: string
}

/** Whose end closes what was opened. */
interface Scope {
  after(undo: () => unknown): void
}

/** How long anything on a socket may take, in ms. */
const DEADLINE_MS = 5_000

/** A socket client that keeps all it is sent, in order, and adds nothing of its own. */
export class SocketClient {
  readonly ws: WebSocket
  readonly frames: Frame[] = []
  readonly sound: Buffer[] = []
  #closing: Closing | undefined
  readonly #arrivals = new EventEmitter().setMaxListeners(0)
  #taken = 0

  private constructor(ws: WebSocket) {
    this.ws = ws
    ws.on('error', () => {})
    ws.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) this.sound.push(data)
      else this.frames.push(JSON.parse(data.toString()))
      this.#arrivals.emit('frame')
    })
    ws.on('close', (code, reason) => {
      this.#closing = { code, reason: reason.toString() }
      this.#arrivals.emit('close')
    })
  }

  /** Connects; the socket is gone when the scope ends. */
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

  /** Sends a message as JSON; text goes as it stands, bytes as a binary frame. */
  send(message: Frame | string | Uint8Array): void {
    const raw = typeof message === 'string' || message instanceof Uint8Array
    this.ws.send(raw ? message : JSON.stringify(message))
  }

  /** The next message of a type among those not taken yet; what came before it is passed over. */
  async next(type: string): Promise<Frame> {
    const signal = AbortSignal.timeout(DEADLINE_MS)
    while (true) {
      while (this.#taken < this.frames.length) {
        const frame = this.frames[this.#taken++]
        if (frame?.type === type) return frame
      }
      await once(this.#arrivals, 'frame', { signal }).catch((cause) => {
        throw new Error(`no ${type} came, but ${JSON.stringify(this.frames.slice(-5))}`, { cause })
      })
    }
  }

  /** All messages of a type so far. */
  of(type: string): Frame[] {
    return this.frames.filter((frame) => frame.type === type)
  }

  /** Resolves when so many binary frames have come. */
  async heard(count: number): Promise<void> {
    const signal = AbortSignal.timeout(DEADLINE_MS)
    while (this.sound.length < count) await once(this.#arrivals, 'frame', { signal })
  }

  /** Resolves when the socket is closed. */
  async closed(): Promise<Closing> {
    const signal = AbortSignal.timeout(DEADLINE_MS)
    while (this.#closing === undefined) await once(this.#arrivals, 'close', { signal })
    return this.#closing
  }
}

/** An upgrade that was refused. */
export interface Refusal {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: Frame
}

/** Asks for a socket that must be refused, and reads the answer. */
export async function refusedUpgrade(url: string, options: ClientOptions = {}): Promise<Refusal> {
  const ws = new WebSocket(url, options)
  ws.on('open', () => ws.emit('error', new Error('the socket was opened')))
  ws.on('close', () => ws.emit('error', new Error('the socket was closed without an answer')))
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

/** A bearer header. */
export function bearer(token: string): { readonly headers: { readonly authorization: string } } {
  return { headers: { authorization: `Bearer ${token}` } }
}
