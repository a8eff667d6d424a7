import { closeFrames } from '@glasses-cloud/contract'
import type { WebSocket } from 'ws'
import type { Clock, Timer } from '../session/index.ts'

const PING_INTERVAL_MS = 10_000
const PONG_TIMEOUT_MS = 30_000

/** Sockets that are due at the same time are pinged in slices, so that they do not block the event loop. */
const SLICES_PER_INTERVAL = 100
const SLICE_MS = PING_INTERVAL_MS / SLICES_PER_INTERVAL
const MIN_SLICE_SIZE = 50

interface Liveness {
  pingAt: number
  lastPong: number
}

/**
 * Pings each socket every 10 s and closes those that sent no pong for 30 s. At most a hundredth of the sockets, or 50,
 * are pinged in one slice of 100 ms, which spreads sockets that connected at the same time over the interval.
 */
export class Heartbeat {
  readonly #clock: Clock
  /** In the order of `pingAt`. */
  readonly #sockets = new Map<WebSocket, Liveness>()
  #timer: Timer | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Adds a socket until it closes. */
  watch(ws: WebSocket): void {
    const now = this.#clock.monotonicNow()
    const liveness = { pingAt: now + PING_INTERVAL_MS, lastPong: now }
    this.#sockets.set(ws, liveness)
    ws.on('pong', () => {
      liveness.lastPong = this.#clock.monotonicNow()
    })
    ws.on('close', () => this.#sockets.delete(ws))
    this.#timer ??= this.#clock.after(PING_INTERVAL_MS, () => this.#beat())
  }

  stop(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    this.#sockets.clear()
  }

  #beat(): void {
    this.#timer = undefined
    const now = this.#clock.monotonicNow()
    const sliceSize = Math.max(MIN_SLICE_SIZE, Math.ceil(this.#sockets.size / SLICES_PER_INTERVAL))
    let count = 0
    for (const [ws, liveness] of this.#sockets) {
      if (count === sliceSize || liveness.pingAt > now) break
      count += 1
      this.#ping(ws, liveness, now)
    }
    const [first] = this.#sockets.values()
    if (first) this.#timer = this.#clock.after(Math.max(SLICE_MS, first.pingAt - now), () => this.#beat())
  }

  #ping(ws: WebSocket, liveness: Liveness, now: number): void {
    // Deleting and setting the entry moves it to the end of the order.
    this.#sockets.delete(ws)
    if (ws.readyState === ws.OPEN && now - liveness.lastPong >= PONG_TIMEOUT_MS) {
      ws.close(closeFrames.UNRESPONSIVE.code, closeFrames.UNRESPONSIVE.reason)
      // A dead connection does not respond to the close frame either, so `close` alone would wait for its timeout.
      ws.terminate()
      return
    }
    liveness.pingAt = now + PING_INTERVAL_MS
    this.#sockets.set(ws, liveness)
    if (ws.readyState === ws.OPEN) ws.ping()
  }
}
