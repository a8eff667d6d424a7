import {
  type AudioFormat,
  type CloseFrame,
  type CloudToGlasses,
  closeFrames,
  type DataStreamFields,
} from '@glasses-cloud/contract'
import type { Clock, Timer } from '../time/index.ts'
import type { GlassesPeer, Peer } from './peer.ts'
import type { SessionTiming } from './timing.ts'

export interface GlassesLinkDeps {
  readonly clock: Clock
  readonly timing: SessionTiming
  /** Called when no socket was attached for `glassesGraceMs`. */
  onExpired(): void
}

/**
 * The glasses socket of a session. The newest connection replaces the older one, which is closed and ignored from
 * then on. Without a socket the session continues for its grace period.
 */
export class GlassesLink {
  readonly #deps: GlassesLinkDeps
  #peer: GlassesPeer | undefined
  #graceTimer: Timer | undefined

  constructor(deps: GlassesLinkDeps) {
    this.#deps = deps
    this.#startGrace()
  }

  attach(peer: GlassesPeer): void {
    const old = this.#peer
    this.#peer = peer
    this.#graceTimer?.cancel()
    this.#graceTimer = undefined
    old?.close(closeFrames.GLASSES_REPLACED.code, closeFrames.GLASSES_REPLACED.reason)
  }

  /** Detaches a socket that closed. A replaced socket is ignored. */
  detach(peer: Peer): void {
    if (peer !== this.#peer) return
    this.#peer = undefined
    this.#startGrace()
  }

  isCurrent(peer: Peer): boolean {
    return peer === this.#peer
  }

  get isOpen(): boolean {
    return this.#peer !== undefined
  }

  /** Sends to the glasses. Without a socket the message is dropped: glasses receive the full state on reconnect. */
  send(message: CloudToGlasses): void {
    this.#peer?.send(message)
  }

  /** Sends a frame of a stream to the mini-apps on the phone; see `Peer.sendStream`. */
  sendStream(envelope: DataStreamFields, dataJson: string): void {
    this.#peer?.sendStream(envelope, dataJson)
  }

  /** Sets the format of the binary frames on the open socket. @returns false without a socket */
  setAudioFormat(format: AudioFormat): boolean {
    this.#peer?.setAudioFormat(format)
    return this.#peer !== undefined
  }

  close({ code, reason }: CloseFrame): void {
    const peer = this.#peer
    this.#peer = undefined
    peer?.close(code, reason)
  }

  #startGrace(): void {
    this.#graceTimer = this.#deps.clock.after(this.#deps.timing.glassesGraceMs, () => this.#deps.onExpired())
  }
}
