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

/** Replacements within a minute after which phones are taken to push each other out. */
const MAX_REPLACEMENTS = 3
const REPLACEMENT_WINDOW_MS = 60_000
/** A connection that is replaced sooner was none that its phone came back to. */
const MIN_CONNECTED_MS = 2_000

export interface GlassesLinkDeps {
  readonly clock: Clock
  readonly timing: SessionTiming
  /** Called when no socket was attached for `glassesGraceMs`. */
  onExpired(): void
}

/** A connection of a phone. */
export interface PhoneConnection {
  readonly userAgent: string | undefined
  /** Epoch milliseconds. */
  readonly at: number
}

/**
 * The glasses socket of a session. The newest connection replaces the older one, which is closed and ignored from
 * then on. Without a socket the session continues for its grace period.
 */
export class GlassesLink {
  readonly #deps: GlassesLinkDeps
  #peer: GlassesPeer | undefined
  #phone: PhoneConnection | undefined
  /** In milliseconds of the monotonic clock. */
  #attachedAt = 0
  #refused: PhoneConnection | undefined
  /** When open connections were replaced, or others refused, in milliseconds of the monotonic clock. */
  #conflicts: number[] = []
  #graceTimer: Timer | undefined

  constructor(deps: GlassesLinkDeps) {
    this.#deps = deps
    this.#startGrace()
  }

  attach(peer: GlassesPeer): void {
    const old = this.#peer
    this.#peer = peer
    const { clock } = this.#deps
    const attachedAt = clock.monotonicNow()
    const connectedMs = attachedAt - this.#attachedAt
    this.#attachedAt = attachedAt
    this.#phone = { userAgent: peer.userAgent, at: clock.now() }
    this.#graceTimer?.cancel()
    this.#graceTimer = undefined
    if (!old) return
    if (connectedMs >= MIN_CONNECTED_MS) this.#addConflict()
    old.close(closeFrames.GLASSES_REPLACED.code, closeFrames.GLASSES_REPLACED.reason)
  }

  /**
   * The open connection, if phones of the user have pushed each other out several times in the last minute: some phones
   * reconnect whatever the close code says. It may only be replaced if it is dead.
   */
  get contested(): GlassesPeer | undefined {
    this.#forgetConflicts()
    return this.#conflicts.length >= MAX_REPLACEMENTS ? this.#peer : undefined
  }

  /** Closes a connection of another phone while the open one stays. @returns whether it is the first in this conflict */
  refuse(peer: GlassesPeer): boolean {
    const isFirst = this.refused === undefined
    this.#addConflict()
    this.#refused = { userAgent: peer.userAgent, at: this.#deps.clock.now() }
    peer.close(closeFrames.GLASSES_IN_USE.code, closeFrames.GLASSES_IN_USE.reason)
    return isFirst
  }

  /** The phone with the open socket. */
  get phone(): PhoneConnection | undefined {
    return this.#peer && this.#phone
  }

  /** The phone that was refused last, while the conflict lasts. */
  get refused(): PhoneConnection | undefined {
    this.#forgetConflicts()
    return this.#conflicts.length > 0 ? this.#refused : undefined
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

  #addConflict(): void {
    this.#conflicts = [...this.#conflicts.slice(1 - MAX_REPLACEMENTS), this.#deps.clock.monotonicNow()]
  }

  #forgetConflicts(): void {
    const oldest = this.#deps.clock.monotonicNow() - REPLACEMENT_WINDOW_MS
    if (this.#conflicts.some((at) => at < oldest))
      this.#conflicts = this.#conflicts.filter((at) => at >= oldest)
    if (this.#conflicts.length === 0) this.#refused = undefined
  }

  #startGrace(): void {
    this.#graceTimer = this.#deps.clock.after(this.#deps.timing.glassesGraceMs, () => this.#deps.onExpired())
  }
}
