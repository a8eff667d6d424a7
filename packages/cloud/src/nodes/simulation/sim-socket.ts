import { ABNORMAL_CLOSURE } from '@glasses-cloud/contract'
import type { SessionUser } from '../../session-host/index.ts'
import type { ClientSocket } from '../../sockets/ws-peer.ts'
import { Pipe } from './pipe.ts'
import type { SimProcess } from './sim-process.ts'

const OPEN = 1
const CLOSING = 2
const CLOSED = 3

/** Time within which a client must respond to a close frame. */
const CLOSE_TIMEOUT_MS = 5_000
const MAX_DELAY_MS = 20

/** What the client of a socket receives. */
export interface SocketClient {
  /** The user session that acknowledged the socket. */
  readonly userSessionId: string | undefined
  message(message: Readonly<Record<string, unknown>>): void
  closed(code: number): void
}

/** A node, as its clients see it. */
export interface SocketNode {
  readonly id: string
  acceptGlasses(client: SocketClient, user: SessionUser): SimSocket
  acceptApp(client: SocketClient, userId: string, packageName: string): SimSocket
}

/** A WebSocket between a client and a node. This object is the node's end. */
export class SimSocket implements ClientSocket {
  readonly OPEN = OPEN
  readonly bufferedAmount = 0
  readonly #process: SimProcess
  readonly #client: SocketClient
  readonly #toNode: Pipe
  readonly #toClient: Pipe
  readonly #onMessage: ((data: Buffer, isBinary: boolean) => void)[] = []
  readonly #onClose: (() => void)[] = []
  /** Called when the node sends a frame. */
  onSent: ((data: string | Uint8Array) => void) | undefined
  #readyState = OPEN
  /** Whether the client's end is open. */
  #isClientOpen = true

  constructor(process: SimProcess, client: SocketClient) {
    const { world } = process
    const delay = () => world.random.below(MAX_DELAY_MS)
    this.#process = process
    this.#client = client
    this.#toNode = new Pipe(world, process, delay)
    this.#toClient = new Pipe(world, undefined, delay)
    process.onDeath(() => this.#toClient.send(() => this.#closeClient(ABNORMAL_CLOSURE)))
  }

  // The node's end

  get readyState(): number {
    return this.#readyState
  }

  on(event: 'message', listener: (data: Buffer, isBinary: boolean) => void): unknown
  on(event: 'close', listener: () => void): unknown
  on(event: 'message' | 'close', listener: (data: Buffer, isBinary: boolean) => void): unknown {
    if (event === 'message') this.#onMessage.push(listener)
    else this.#onClose.push(listener as () => void)
    return this
  }

  send(data: string | Uint8Array, ...rest: [() => void] | [{ readonly binary: boolean }, () => void]): void {
    if (this.#readyState !== OPEN) return
    const [options, sent] = rest.length === 1 ? [undefined, rest[0]] : rest
    this.onSent?.(data)
    if (!(options?.binary ?? typeof data !== 'string')) {
      const text = data.toString()
      this.#toClient.send(() => {
        if (this.#isClientOpen) this.#client.message(JSON.parse(text))
      })
    }
    queueMicrotask(sent)
  }

  close(code: number): void {
    if (this.#readyState !== OPEN) return
    this.#readyState = CLOSING
    this.#toClient.send(() => this.#closeClient(code))
    this.#process.clock.after(CLOSE_TIMEOUT_MS, () => this.#closeNode())
  }

  // The client's end

  get isClientOpen(): boolean {
    return this.#isClientOpen
  }

  sendFromClient(message: object): void {
    if (!this.#isClientOpen) return
    const data = Buffer.from(JSON.stringify(message))
    this.#toNode.send(() => {
      if (this.#readyState !== CLOSED) for (const listener of this.#onMessage) listener(data, false)
    })
  }

  closeFromClient(): void {
    if (!this.#isClientOpen) return
    this.#isClientOpen = false
    this.#toNode.send(() => this.#closeNode())
  }

  /** The client loses the connection; the node notices it later. */
  loseConnection(noticedAfterMs: number): void {
    if (!this.#isClientOpen) return
    this.#isClientOpen = false
    this.#client.closed(ABNORMAL_CLOSURE)
    this.#process.clock.after(noticedAfterMs, () => this.#closeNode())
  }

  #closeClient(code: number): void {
    if (!this.#isClientOpen) return
    this.#isClientOpen = false
    this.#client.closed(code)
    this.#toNode.send(() => this.#closeNode())
  }

  #closeNode(): void {
    if (this.#readyState === CLOSED) return
    this.#readyState = CLOSED
    for (const listener of this.#onClose) listener()
  }
}
