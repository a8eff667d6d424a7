import type { FrameSocket } from '../ws-peer.ts'
import { RELAY } from './relay-frame.ts'

const OPEN = 1
const CLOSING = 2

/** Bytes of a close code. */
export const CLOSE_CODE_BYTES = 2

/**
 * A socket on another node, as the peer of a session uses it. Bytes count as unsent until the other node has written
 * them to the socket, so that the rules for slow readers apply as they do to a socket of this node.
 */
export class RelaySocket implements FrameSocket {
  readonly OPEN = OPEN
  readonly #send: (type: number, payload: Uint8Array) => void
  #readyState = OPEN
  #unwritten = 0
  #drained: (() => void) | undefined

  /** @param send sends a frame to the node that holds the socket */
  constructor(send: (type: number, payload: Uint8Array) => void) {
    this.#send = send
  }

  get readyState(): number {
    return this.#readyState
  }

  get bufferedAmount(): number {
    return this.#unwritten
  }

  send(data: string | Uint8Array, ...rest: [() => void] | [{ readonly binary: boolean }, () => void]): void {
    if (this.#readyState !== OPEN) return
    const [options, sent] = rest.length === 1 ? [undefined, rest[0]] : rest
    const payload = typeof data === 'string' ? Buffer.from(data) : data
    const isBinary = options?.binary ?? typeof data !== 'string'
    this.#unwritten += payload.byteLength
    this.#drained = sent
    this.#send(isBinary ? RELAY.binary : RELAY.text, payload)
  }

  close(code: number, reason: string): void {
    if (this.#readyState !== OPEN) return
    this.#readyState = CLOSING
    const payload = Buffer.alloc(CLOSE_CODE_BYTES + Buffer.byteLength(reason))
    payload.writeUInt16BE(code)
    payload.write(reason, CLOSE_CODE_BYTES)
    this.#send(RELAY.close, payload)
  }

  /** Accounts for bytes that the other node has written. */
  written(bytes: number): void {
    this.#unwritten = Math.max(0, this.#unwritten - bytes)
    this.#drained?.()
  }

  /** Marks the socket as closed by the other side. */
  closed(): void {
    this.#readyState = CLOSING
  }
}
