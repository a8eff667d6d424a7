import type { IncomingMessage } from 'node:http'
import { closeFrames } from '@glasses-cloud/contract'
import type { WebSocket } from 'ws'
import type { Clock } from '../time/index.ts'
import type { SocketLimits } from './limits.ts'

/** Limits the number of app sockets that are not authenticated, and the bytes that each of them may send. */
export class UnauthenticatedSockets {
  readonly #clock: Clock
  readonly #limits: SocketLimits
  /** When each socket was opened, the oldest first. */
  readonly #openedAt = new Map<WebSocket, number>()

  constructor(clock: Clock, limits: SocketLimits) {
    this.#clock = clock
    this.#limits = limits
  }

  /**
   * Returns whether one more socket may be opened. At the limit, the oldest socket is closed if it had the
   * time to authenticate, because any client can open sockets and send nothing.
   */
  makeRoom(): boolean {
    if (this.#openedAt.size < this.#limits.unauthenticatedSockets) return true
    const [oldest] = this.#openedAt
    if (!oldest || this.#clock.monotonicNow() - oldest[1] < this.#limits.unauthenticatedSlotMs) return false
    const [ws] = oldest
    this.#openedAt.delete(ws)
    ws.close(closeFrames.APP_SLOT_LOST.code, closeFrames.APP_SLOT_LOST.reason)
    ws.terminate()
    return true
  }

  /**
   * Adds a socket and counts its bytes.
   * @returns a function that removes it once it is authenticated or closed
   */
  add(ws: WebSocket, { socket }: IncomingMessage): () => void {
    this.#openedAt.set(ws, this.#clock.monotonicNow())
    const start = socket.bytesRead
    const measure = () => {
      if (socket.bytesRead - start <= this.#limits.unauthenticatedBytes) return
      ws.close(closeFrames.UNAUTHENTICATED_TOO_LARGE.code, closeFrames.UNAUTHENTICATED_TOO_LARGE.reason)
      ws.terminate()
    }
    socket.on('data', measure)
    return () => {
      this.#openedAt.delete(ws)
      socket.off('data', measure)
    }
  }
}
