import { PCM_BYTES_PER_SECOND } from '../../audio-ring.ts'

/** Audio with its arrival times; shared between the streams of a session. */
export interface AudioFrame {
  readonly pcm: Uint8Array
  /** Epoch milliseconds. */
  readonly arrivedAt: number
  /** In milliseconds of the monotonic clock. */
  readonly receivedAt: number
}

interface BacklogEntry {
  readonly start: number
  readonly frame: AudioFrame
}

/** Resolution of positions: a sample. */
const BYTES_PER_MS = PCM_BYTES_PER_SECOND / 1_000

/** Bounds the memory for very small frames. */
const MAX_ENTRIES = 4_000

/**
 * The audio of a stream that is not final yet, so that it can be sent to another provider. Positions are bytes since
 * the stream began.
 */
export class AudioBacklog {
  readonly #capacity: number
  #entries: BacklogEntry[] = []
  #start = 0
  #end = 0

  /** @param capacityMs how much audio to keep; the oldest is dropped beyond it */
  constructor(capacityMs: number) {
    this.#capacity = capacityMs * BYTES_PER_MS
  }

  /** Position of the oldest audio kept. */
  get start(): number {
    return this.#start
  }

  /** Position after the newest audio. */
  get end(): number {
    return this.#end
  }

  get isEmpty(): boolean {
    return this.#start === this.#end
  }

  /** Length of the audio kept, in milliseconds. */
  get lengthMs(): number {
    return (this.#end - this.#start) / BYTES_PER_MS
  }

  /** Appends a frame. @returns the bytes that were dropped to make room */
  push(frame: AudioFrame): number {
    this.#entries.push({ start: this.#end, frame })
    this.#end += frame.pcm.byteLength
    const before = this.#start
    if (this.#end - this.#start > this.#capacity) this.commit(this.#end - this.#capacity)
    if (this.#entries.length > MAX_ENTRIES) this.commit(this.#entries[1]?.start ?? this.#end)
    return this.#start - before
  }

  /** Drops the audio before a position. */
  commit(position: number): void {
    const start = Math.min(this.#end, Math.max(this.#start, evenFloor(position)))
    this.#start = start
    let dropped = 0
    for (const { start: entryStart, frame } of this.#entries) {
      if (entryStart + frame.pcm.byteLength > start) break
      dropped += 1
    }
    if (dropped > 0) this.#entries.splice(0, dropped)
  }

  /** Yields the audio from a position, which is at least `start`. */
  *read(from: number): Generator<Uint8Array> {
    for (const { start, frame } of this.#entries) {
      const skip = Math.max(0, from - start)
      if (skip < frame.pcm.byteLength) yield skip === 0 ? frame.pcm : frame.pcm.subarray(skip)
    }
  }

  /** When the audio at a position arrived, by the monotonic clock; undefined if no audio is kept. */
  receivedAt(position: number): number | undefined {
    return this.#entryAt(position)?.frame.receivedAt
  }

  /** When the audio at a position was spoken as far as its arrival shows, in epoch milliseconds. */
  spokenAt(position: number): number | undefined {
    const entry = this.#entryAt(position)
    if (!entry) return undefined
    const { arrivedAt, pcm } = entry.frame
    const remaining = pcm.byteLength - Math.min(Math.max(0, position - entry.start), pcm.byteLength)
    return Math.round(arrivedAt - remaining / BYTES_PER_MS)
  }

  /** The entry that contains the position, or the nearest one kept. */
  #entryAt(position: number): BacklogEntry | undefined {
    let low = 0
    let high = this.#entries.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#entries[middle]?.start ?? 0) <= position) low = middle
      else high = middle - 1
    }
    return this.#entries[low]
  }
}

/** Converts a length of audio to bytes, in whole samples. */
export function bytesOfMs(ms: number): number {
  return evenFloor(ms * BYTES_PER_MS)
}

function evenFloor(bytes: number): number {
  return Math.floor(bytes / 2) * 2
}
