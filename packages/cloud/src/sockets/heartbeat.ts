import type { WebSocket } from 'ws'
import type { Clock, Timer } from '../session/index.ts'
import { closeCodes } from './close-codes.ts'

const PING_EVERY = 10_000
const SILENCE_ALLOWED = 30_000

/**
 * Pings every socket every ten seconds and closes those that have not answered for thirty: a dead connection is
 * noticed though nothing says so. One timer serves all.
 */
export class Heartbeat {
  readonly #clock: Clock
  readonly #lastPong = new Map<WebSocket, number>()
  #timer: Timer | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Watches a socket until it closes. */
  watch(ws: WebSocket): void {
    this.#lastPong.set(ws, this.#clock.now())
    ws.on('pong', () => this.#lastPong.set(ws, this.#clock.now()))
    ws.once('close', () => this.#lastPong.delete(ws))
    this.#timer ??= this.#clock.after(PING_EVERY, () => this.#beat())
  }

  /** Ends the beat. */
  stop(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    this.#lastPong.clear()
  }

  #beat(): void {
    this.#timer = undefined
    const now = this.#clock.now()
    for (const [ws, heard] of this.#lastPong) {
      if (ws.readyState !== ws.OPEN) continue
      if (now - heard < SILENCE_ALLOWED) ws.ping()
      else {
        ws.close(closeCodes.UNRESPONSIVE, 'No pong')
        // Nobody will answer the close frame either; `close` alone would wait for that.
        ws.terminate()
      }
    }
    if (this.#lastPong.size > 0) this.#timer = this.#clock.after(PING_EVERY, () => this.#beat())
  }
}
