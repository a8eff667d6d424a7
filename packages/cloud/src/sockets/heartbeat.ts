import { closeFrames } from '@glasses-cloud/contract'
import type { WebSocket } from 'ws'
import { SharedMessage } from '../session/index.ts'
import type { Clock } from '../time/index.ts'
import { SlicedTimer } from './sliced-timer.ts'
import type { WsPeer } from './ws-peer.ts'

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

/** Within this time a connection that works delivers a pong. */
const ALIVE_TIMEOUT_MS = 2_000

/** Pings a socket and returns whether it responds in time. */
export function respondsToPing(ws: WebSocket, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isAlive: boolean) => {
      timeout.cancel()
      ws.off('pong', onPong).off('close', onClose)
      resolve(isAlive)
    }
    const onPong = () => settle(true)
    const onClose = () => settle(false)
    const timeout = clock.after(ALIVE_TIMEOUT_MS, onClose)
    ws.on('pong', onPong).on('close', onClose)
    if (ws.readyState === ws.OPEN) ws.ping()
    else settle(false)
  })
}

/** Phones close a socket on which no message arrives for 4 s. */
const IDLE_MS = 2_000
/** Phones that are due at the same time receive their pings within one second. */
const JSON_SLICE_MS = 10

/** Encoded once for all phones. */
const PING = new SharedMessage({ type: 'ping' })

/**
 * Returns whether a handshake may be that of a phone that closes idle sockets and does not see WebSocket pings: phones
 * since January 2026 send this parameter (glasses-socket.md §1.7).
 */
export function expectsJsonPings({ searchParams }: URL): boolean {
  return searchParams.get('udpEncryption') === 'true'
}

/** Sends a JSON `ping` to phones that have received nothing else for 2 s (decision W9). */
export class JsonPings {
  readonly #idle: SlicedTimer<WsPeer>

  constructor(clock: Clock) {
    this.#idle = new SlicedTimer(clock, { intervalMs: IDLE_MS, sliceMs: JSON_SLICE_MS }, (peer) => {
      // What is not sent yet reaches the phone before a ping would.
      if (!peer.hasUnsentData) peer.sendShared(PING)
    })
  }

  /** Adds a phone until it is deleted. */
  add(peer: WsPeer): void {
    this.#idle.add(peer)
    peer.onSent = () => this.#idle.restart(peer)
  }

  /** Ends the pings to a phone whose socket has closed, or which sends pings itself. */
  delete(peer: WsPeer): void {
    this.#idle.delete(peer)
  }

  stop(): void {
    this.#idle.stop()
  }
}
