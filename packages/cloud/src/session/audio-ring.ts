import type { Clock, Timer } from './clock.ts'

/** Bytes of one second of the cloud's sound: 16 kHz, 16 bit, mono, little-endian (decision M1). */
export const PCM_BYTES_PER_SECOND = 32_000

/** What the last seconds sounded like. */
export type RecentAudio =
  | { readonly kind: 'sound'; readonly pcm: Uint8Array }
  | { readonly kind: 'nothing' }
  /** Sound came, but no frame of it could be decoded. */
  | { readonly kind: 'undecodable' }

/** How exactly the ring knows when sound came, in ms. */
const GRAIN_MS = 100

/** Up to where sound had come by a time. */
interface Mark {
  readonly since: number
  until: number
  /** Bytes that had come in all. */
  end: number
}

/**
 * The sound of a session's last seconds, by the clock: what came before them is gone, to a tenth of a second, and
 * out of memory, however little came since. The memory is taken with the first frame and used over and over, so
 * that a frame costs a copy and no garbage.
 */
export class AudioRing {
  readonly #clock: Clock
  readonly #ms: number
  readonly #capacity: number
  #bytes: Uint8Array | undefined
  /** Bytes that came in all; the next one goes to this place, modulo the capacity. */
  #end = 0
  /** Bytes that came before the oldest sound kept. */
  #start = 0
  #marks: Mark[] = []
  #release: Timer | undefined
  #undecodableAt = Number.NEGATIVE_INFINITY

  /** @param seconds how much sound to keep */
  constructor(clock: Clock, seconds = 10) {
    this.#clock = clock
    this.#ms = seconds * 1_000
    this.#capacity = seconds * PCM_BYTES_PER_SECOND
  }

  /** Keeps a copy of the sound. */
  push(pcm: Uint8Array): void {
    const now = this.#clock.now()
    this.#bytes ??= new Uint8Array(this.#capacity)
    this.#write(pcm.byteLength > this.#capacity ? pcm.subarray(-this.#capacity) : pcm, this.#bytes)
    const last = this.#marks.at(-1)
    if (last && now - last.since < GRAIN_MS) {
      last.until = now
      last.end = this.#end
    } else {
      this.#marks.push({ since: now, until: now, end: this.#end })
      this.#forget(now)
    }
    this.#release ??= this.#clock.after(this.#ms + 1, () => this.#releaseWhenOver())
  }

  /** A frame came that could not be decoded. */
  undecodable(): void {
    this.#undecodableAt = this.#clock.now()
  }

  /** The last seconds, as one piece of PCM where there was sound. */
  read(): RecentAudio {
    const now = this.#clock.now()
    this.#forget(now)
    const from = Math.max(this.#start, this.#end - this.#capacity)
    if (!this.#bytes || from === this.#end)
      return { kind: this.#undecodableAt >= now - this.#ms ? 'undecodable' : 'nothing' }
    const pcm = new Uint8Array(this.#end - from)
    const place = from % this.#capacity
    const first = this.#bytes.subarray(place, place + pcm.byteLength)
    pcm.set(first)
    pcm.set(this.#bytes.subarray(0, pcm.byteLength - first.byteLength), first.byteLength)
    return { kind: 'sound', pcm }
  }

  #write(pcm: Uint8Array, bytes: Uint8Array): void {
    const place = this.#end % this.#capacity
    const room = this.#capacity - place
    if (pcm.byteLength <= room) bytes.set(pcm, place)
    else {
      bytes.set(pcm.subarray(0, room), place)
      bytes.set(pcm.subarray(room))
    }
    this.#end += pcm.byteLength
  }

  /** Drops what is too old. */
  #forget(now: number): void {
    const oldest = now - this.#ms
    let dropped = 0
    for (const { until, end } of this.#marks) {
      if (until >= oldest) break
      this.#start = end
      dropped += 1
    }
    if (dropped > 0) this.#marks.splice(0, dropped)
  }

  /** Sound ended a while ago: nothing of it stays in memory. */
  #releaseWhenOver(): void {
    const now = this.#clock.now()
    this.#forget(now)
    const newest = this.#marks.at(-1)?.until
    this.#release =
      newest === undefined
        ? undefined
        : this.#clock.after(newest + this.#ms + 1 - now, () => this.#releaseWhenOver())
    if (newest === undefined) this.#bytes = undefined
  }
}
