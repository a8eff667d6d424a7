import type { Clock } from './clock.ts'

/** Bytes of one second of the cloud's sound: 16 kHz, 16 bit, mono, little-endian (decision M1). */
export const PCM_BYTES_PER_SECOND = 32_000

/** What the last seconds sounded like. */
export type RecentAudio =
  | { readonly kind: 'sound'; readonly pcm: Uint8Array }
  | { readonly kind: 'nothing' }
  /** Sound came, but no frame of it could be decoded. */
  | { readonly kind: 'undecodable' }

interface Frame {
  readonly at: number
  readonly pcm: Uint8Array
}

/**
 * The sound of a session's last seconds, by the clock: what came before them is gone, however little came since.
 * Keeps the frames it is given, without copying, and never more than the seconds can hold.
 */
export class AudioRing {
  readonly #clock: Clock
  readonly #ms: number
  readonly #capacity: number
  #frames: Frame[] = []
  #bytes = 0
  #undecodableAt = Number.NEGATIVE_INFINITY

  /** @param seconds how much sound to keep */
  constructor(clock: Clock, seconds = 10) {
    this.#clock = clock
    this.#ms = seconds * 1_000
    this.#capacity = seconds * PCM_BYTES_PER_SECOND
  }

  push(pcm: Uint8Array): void {
    const now = this.#clock.now()
    this.#frames.push({ at: now, pcm })
    this.#bytes += pcm.byteLength
    this.#forget(now - this.#ms)
  }

  /** A frame came that could not be decoded. */
  undecodable(): void {
    this.#undecodableAt = this.#clock.now()
  }

  /** The last seconds, as one piece of PCM where there was sound. */
  read(): RecentAudio {
    const oldest = this.#clock.now() - this.#ms
    this.#forget(oldest)
    if (this.#bytes > 0) {
      const whole = Buffer.concat(
        this.#frames.map(({ pcm }) => pcm),
        this.#bytes,
      )
      return { kind: 'sound', pcm: whole.subarray(Math.max(0, whole.byteLength - this.#capacity)) }
    }
    return { kind: this.#undecodableAt >= oldest ? 'undecodable' : 'nothing' }
  }

  /** Drops frames that are too old, or that newer ones leave no room for. */
  #forget(oldest: number): void {
    let dropped = 0
    for (const { at, pcm } of this.#frames) {
      if (at >= oldest && this.#bytes - pcm.byteLength < this.#capacity) break
      this.#bytes -= pcm.byteLength
      dropped += 1
    }
    if (dropped > 0) this.#frames.splice(0, dropped)
  }
}
