import { SharedMessage } from '../session/index.ts'
import type { Clock } from '../time/index.ts'
import { SlicedTimer } from './sliced-timer.ts'
import type { WsPeer } from './ws-peer.ts'

/** Phones close a socket on which no message arrives for 4 s. */
const IDLE_MS = 2_000
/** Phones that are due at the same time receive their pings within one second. */
const SLICE_MS = 10

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
    this.#idle = new SlicedTimer(clock, { intervalMs: IDLE_MS, sliceMs: SLICE_MS }, (peer) => {
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
