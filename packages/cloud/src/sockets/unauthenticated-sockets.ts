import type { IncomingMessage } from 'node:http'
import { closeFrames } from '@glasses-cloud/contract'
import type { WebSocket } from 'ws'
import type { Clock } from '../time/index.ts'
import type { SocketLimits } from './limits.ts'

interface OpenSocket {
  /** Monotonic time in ms. */
  readonly openedAt: number
  readonly network: string
}

/** Limits the number of app sockets that are not authenticated, and the bytes that each of them may send. */
export class UnauthenticatedSockets {
  readonly #clock: Clock
  readonly #limits: SocketLimits
  /** The oldest first. */
  readonly #open = new Map<WebSocket, OpenSocket>()

  constructor(clock: Clock, limits: SocketLimits) {
    this.#clock = clock
    this.#limits = limits
  }

  /**
   * Returns whether one more socket may be opened. At the limit, of all or of its network, the oldest socket is closed if
   * it had the time to authenticate, because any client can open sockets and send nothing.
   * @param network of the client, as returned by `networkOf`
   */
  makeRoom(network: string): boolean {
    const { unauthenticatedSockets, unauthenticatedPerNetwork, unauthenticatedSlotMs } = this.#limits
    const all = [...this.#open]
    const own = all.filter(([, socket]) => socket.network === network)
    const full =
      own.length >= unauthenticatedPerNetwork ? own : all.length >= unauthenticatedSockets ? all : undefined
    if (full === undefined) return true
    const [oldest] = full
    if (!oldest || this.#clock.monotonicNow() - oldest[1].openedAt < unauthenticatedSlotMs) return false
    const [ws] = oldest
    this.#open.delete(ws)
    ws.close(closeFrames.APP_SLOT_LOST.code, closeFrames.APP_SLOT_LOST.reason)
    ws.terminate()
    return true
  }

  /**
   * Adds a socket and counts its bytes.
   * @returns a function that removes it once it is authenticated or closed
   */
  add(ws: WebSocket, { socket }: IncomingMessage, network: string): () => void {
    this.#open.set(ws, { openedAt: this.#clock.monotonicNow(), network })
    const start = socket.bytesRead
    const measure = () => {
      if (socket.bytesRead - start <= this.#limits.unauthenticatedBytes) return
      ws.close(closeFrames.UNAUTHENTICATED_TOO_LARGE.code, closeFrames.UNAUTHENTICATED_TOO_LARGE.reason)
      ws.terminate()
    }
    socket.on('data', measure)
    return () => {
      this.#open.delete(ws)
      socket.off('data', measure)
    }
  }
}
