import { closeFrames } from '@glasses-cloud/contract'
import type { WebSocket } from 'ws'
import type { Clock } from '../time/index.ts'
import { SlicedTimer } from './sliced-timer.ts'

const PING_INTERVAL_MS = 10_000
const SLICE_MS = 100
const PONG_TIMEOUT_MS = 30_000

interface Liveness {
  readonly ws: WebSocket
  lastPong: number
}

/** Pings each socket every 10 s, in slices of 100 ms, and closes those that sent no pong for 30 s. */
export class Heartbeat {
  readonly #clock: Clock
  readonly #pings: SlicedTimer<Liveness>

  constructor(clock: Clock) {
    this.#clock = clock
    this.#pings = new SlicedTimer(clock, { intervalMs: PING_INTERVAL_MS, sliceMs: SLICE_MS }, (liveness) =>
      this.#ping(liveness),
    )
  }

  /** Adds a socket until it closes. */
  watch(ws: WebSocket): void {
    const liveness = { ws, lastPong: this.#clock.monotonicNow() }
    this.#pings.add(liveness)
    ws.on('pong', () => {
      liveness.lastPong = this.#clock.monotonicNow()
    })
    ws.on('close', () => this.#pings.delete(liveness))
  }

  stop(): void {
    this.#pings.stop()
  }

  #ping(liveness: Liveness): void {
    const { ws, lastPong } = liveness
    if (ws.readyState !== ws.OPEN) return
    if (this.#clock.monotonicNow() - lastPong < PONG_TIMEOUT_MS) return ws.ping()
    this.#pings.delete(liveness)
    ws.close(closeFrames.UNRESPONSIVE.code, closeFrames.UNRESPONSIVE.reason)
    // A dead connection does not respond to the close frame either, so `close` alone would wait for its timeout.
    ws.terminate()
  }
}
