import { closeFrames } from '@glasses-cloud/contract'
import type { WebSocket } from 'ws'
import type { Clock, Timer } from '../session/index.ts'

const PING_INTERVAL_MS = 10_000
const PONG_TIMEOUT_MS = 30_000

/** Pings all sockets every 10 s and closes those that sent no pong for 30 s. One timer serves all sockets. */
export class Heartbeat {
  readonly #clock: Clock
  readonly #lastPong = new Map<WebSocket, number>()
  #timer: Timer | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Adds a socket until it closes. */
  watch(ws: WebSocket): void {
    this.#lastPong.set(ws, this.#clock.now())
    ws.on('pong', () => this.#lastPong.set(ws, this.#clock.now()))
    ws.once('close', () => this.#lastPong.delete(ws))
    this.#timer ??= this.#clock.after(PING_INTERVAL_MS, () => this.#beat())
  }

  stop(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    this.#lastPong.clear()
  }

  #beat(): void {
    this.#timer = undefined
    const now = this.#clock.now()
    for (const [ws, lastPong] of this.#lastPong) {
      if (ws.readyState !== ws.OPEN) continue
      if (now - lastPong < PONG_TIMEOUT_MS) ws.ping()
      else {
        ws.close(closeFrames.UNRESPONSIVE.code, closeFrames.UNRESPONSIVE.reason)
        // A dead connection does not respond to the close frame either, so `close` alone would wait for its timeout.
        ws.terminate()
      }
    }
    if (this.#lastPong.size > 0) this.#timer = this.#clock.after(PING_INTERVAL_MS, () => this.#beat())
  }
}
