import {
  type AudioFormat,
  type CloseFrame,
  type CloudToGlasses,
  closeFrames,
  type DataStreamFields,
} from '@glasses-cloud/contract'
import type { Clock, Timer } from './clock.ts'
import type { GlassesPeer, Peer } from './peer.ts'
import type { SessionTiming } from './timing.ts'

/** What a link to glasses is built from. */
export interface GlassesLinkDeps {
  readonly clock: Clock
  readonly timing: SessionTiming
  /** Nobody came back in time. */
  expired(): void
}

/** Closes a socket whose user connected another one (decision: newest wins). */

/**
 * The one socket of the glasses. The newest connection takes over and the older one is closed; whatever the older
 * one still says or does is nobody's business. Without a socket the session lives on for its grace.
 */
export class GlassesLink {
  readonly #deps: GlassesLinkDeps
  #peer: GlassesPeer | undefined
  #grace: Timer | undefined

  constructor(deps: GlassesLinkDeps) {
    this.#deps = deps
    this.#startGrace()
  }

  attach(peer: GlassesPeer): void {
    const old = this.#peer
    this.#peer = peer
    this.#grace?.cancel()
    this.#grace = undefined
    old?.close(closeFrames.GLASSES_REPLACED.code, closeFrames.GLASSES_REPLACED.reason)
  }

  /** A socket closed. Only the current one matters. */
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

  /** Sends to the glasses; without a socket the message is not kept, since a reconnect begins with a full picture. */
  send(message: CloudToGlasses): void {
    this.#peer?.send(message)
  }

  /** Sends a frame of a stream to the mini-apps on the phone; see `Peer.sendStream`. */
  sendStream(envelope: DataStreamFields, dataJson: string): void {
    this.#peer?.sendStream(envelope, dataJson)
  }

  /** Says what the binary frames of the open socket hold; the next socket begins anew. @returns whether one is open */
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
    this.#grace = this.#deps.clock.after(this.#deps.timing.glassesGraceMs, () => this.#deps.expired())
  }
}
