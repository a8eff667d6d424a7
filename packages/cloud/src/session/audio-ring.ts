import { type Static, Type } from 'typebox'
import type { Clock, Timer } from '../time/index.ts'
import { bytes } from './command.ts'

/** Bytes of one second of decoded audio: PCM, 16 kHz, 16 bit, mono, little-endian (decision M1). */
export const PCM_BYTES_PER_SECOND = 32_000

export const recentAudio = Type.Union([
  Type.Object({ kind: Type.Literal('audio'), pcm: bytes }),
  Type.Object({ kind: Type.Literal('empty') }),
  Type.Object({
    kind: Type.Literal('undecodable', { description: 'Frames arrived, but none could be decoded' }),
  }),
])

/** The audio of the last seconds. */
export type RecentAudio = Static<typeof recentAudio>

/** Resolution of the recorded arrival times. */
const MARK_INTERVAL_MS = 100

/** The position in the stream that audio had reached within an interval. */
interface Mark {
  readonly since: number
  until: number
  /** Bytes received in total at `until`. */
  end: number
}

/**
 * Keeps the audio of the last seconds, to a tenth of a second. Older audio is discarded by the clock, also when no
 * frame follows. The buffer is allocated with the first frame and reused, so that a frame costs a copy and no garbage.
 */
export class AudioRing {
  readonly #clock: Clock
  readonly #ms: number
  readonly #capacity: number
  #bytes: Uint8Array | undefined
  /** Bytes received in total; the next byte is written to this position, modulo the capacity. */
  #end = 0
  /** Bytes received before the oldest audio kept. */
  #start = 0
  #marks: Mark[] = []
  #releaseTimer: Timer | undefined
  #undecodableAt = Number.NEGATIVE_INFINITY

  /** @param seconds how much audio to keep */
  constructor(clock: Clock, seconds = 10) {
    this.#clock = clock
    this.#ms = seconds * 1_000
    this.#capacity = seconds * PCM_BYTES_PER_SECOND
  }

  /** Appends a copy of the audio. */
  push(pcm: Uint8Array): void {
    const now = this.#clock.monotonicNow()
    this.#bytes ??= new Uint8Array(this.#capacity)
    this.#write(pcm.byteLength > this.#capacity ? pcm.subarray(-this.#capacity) : pcm, this.#bytes)
    const last = this.#marks.at(-1)
    if (last && now - last.since < MARK_INTERVAL_MS) {
      last.until = now
      last.end = this.#end
    } else {
      this.#marks.push({ since: now, until: now, end: this.#end })
      this.#discardOld(now)
    }
    this.#releaseTimer ??= this.#clock.after(this.#ms + 1, () => this.#releaseWhenEmpty())
  }

  /** Records that a frame could not be decoded. */
  recordUndecodable(): void {
    this.#undecodableAt = this.#clock.monotonicNow()
  }

  /** Returns the last seconds as one buffer. */
  read(): RecentAudio {
    const now = this.#clock.monotonicNow()
    this.#discardOld(now)
    const from = Math.max(this.#start, this.#end - this.#capacity)
    if (!this.#bytes || from === this.#end)
      return { kind: this.#undecodableAt >= now - this.#ms ? 'undecodable' : 'empty' }
    const pcm = new Uint8Array(this.#end - from)
    const offset = from % this.#capacity
    const first = this.#bytes.subarray(offset, offset + pcm.byteLength)
    pcm.set(first)
    pcm.set(this.#bytes.subarray(0, pcm.byteLength - first.byteLength), first.byteLength)
    return { kind: 'audio', pcm }
  }

  #write(pcm: Uint8Array, bytes: Uint8Array): void {
    const offset = this.#end % this.#capacity
    const room = this.#capacity - offset
    if (pcm.byteLength <= room) bytes.set(pcm, offset)
    else {
      bytes.set(pcm.subarray(0, room), offset)
      bytes.set(pcm.subarray(room))
    }
    this.#end += pcm.byteLength
  }

  #discardOld(now: number): void {
    const oldest = now - this.#ms
    let discarded = 0
    for (const { until, end } of this.#marks) {
      if (until >= oldest) break
      this.#start = end
      discarded += 1
    }
    if (discarded > 0) this.#marks.splice(0, discarded)
  }

  /** Frees the buffer when all audio in it is too old. */
  #releaseWhenEmpty(): void {
    const now = this.#clock.monotonicNow()
    this.#discardOld(now)
    const newest = this.#marks.at(-1)?.until
    this.#releaseTimer =
      newest === undefined
        ? undefined
        : this.#clock.after(newest + this.#ms + 1 - now, () => this.#releaseWhenEmpty())
    if (newest === undefined) this.#bytes = undefined
  }
}
