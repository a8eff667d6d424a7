import type { FeedReader } from './feed.ts'
import type { MediaTag } from './media-tag.ts'

/** Audio that lags behind the video by this much has stopped, in milliseconds. */
const MAX_LAG_MS = 2_000

/** Silence that is added at once, in milliseconds: a longer pause remains without audio. */
const MAX_SILENCE_MS = 60_000

const AAC = 10
const LOW_COMPLEXITY = 2
const SAMPLES_PER_FRAME = 1_024
/** In kHz, by their index in the configuration of AAC. */
const SAMPLE_RATES = [96, 88.2, 64, 48, 44.1, 32, 24, 22.05, 16, 12, 11.025, 8, 7.35]

/** Frames without sound of AAC-LC, by the number of channels, whatever the sample rate (hls.js, `aac-helper.ts`). */
const SILENT_FRAMES: Readonly<Record<number, string>> = { 1: '00c800802380', 2: '210049900219002380' }

/** AAC-LC with 44.1 kHz and one channel, of a feed without audio. */
const OWN_HEADER = Buffer.from('af001208', 'hex')

/** How silence is encoded. */
interface Silence {
  readonly frame: Buffer
  readonly frameMs: number
}

/**
 * Adds silence where a feed has no audio: players wait for audio that stops, or that another encoding of the stream had. Audio that is no
 * AAC-LC with one or two channels is passed on as it is.
 */
export class SilentAudio implements FeedReader {
  readonly #reader: FeedReader
  #silence: Silence | undefined
  #hasOwnHeader = false
  /** Whether the feed has an audio header. */
  #hasHeader = false
  /** End of the audio so far, in milliseconds. */
  #end: number | undefined
  #isSilent = false

  constructor(reader: FeedReader) {
    this.#reader = reader
  }

  write(tag: MediaTag): void {
    const { kind, timestamp } = tag
    if (kind === 'audio-header' || kind === 'audio') return this.#writeAudio(tag)
    if (kind === 'keyframe' || kind === 'video') this.#fill(timestamp)
    this.#reader.write(tag)
  }

  #writeAudio(tag: MediaTag): void {
    // The feed starts anew with its audio.
    if (this.#hasOwnHeader) return
    if (tag.kind === 'audio-header') {
      this.#hasHeader = true
      this.#silence = silenceLike(tag.data)
    } else {
      // Silence has taken its place.
      if (this.#isSilent && tag.timestamp < (this.#end ?? 0)) return
      this.#isSilent = false
      this.#end = tag.timestamp + (this.#silence?.frameMs ?? 0)
    }
    this.#reader.write(tag)
  }

  /** Adds silence up to a time, if there is no audio. */
  #fill(until: number): void {
    this.#end ??= until
    if (!this.#hasHeader && !this.#hasOwnHeader) {
      this.#hasOwnHeader = true
      this.#silence = silenceLike(OWN_HEADER)
      this.#reader.write({ kind: 'audio-header', timestamp: until, data: OWN_HEADER })
    }
    if (!this.#silence) return
    this.#isSilent ||= this.#hasOwnHeader || until - this.#end > MAX_LAG_MS
    if (!this.#isSilent) return
    const { frame, frameMs } = this.#silence
    let end = Math.max(this.#end, until - MAX_SILENCE_MS)
    for (; end + frameMs <= until; end += frameMs)
      this.#reader.write({ kind: 'audio', timestamp: Math.round(end), data: frame })
    this.#end = end
  }
}

/** Returns silence in the encoding of an audio header; undefined if that is none of AAC-LC with one or two channels. */
function silenceLike(header: Buffer): Silence | undefined {
  const [first = 0, , config = 0, more = 0] = header
  const rate = SAMPLE_RATES[((config & 7) << 1) | (more >> 7)]
  const frame = SILENT_FRAMES[(more >> 3) & 15]
  if (first >> 4 !== AAC || config >> 3 !== LOW_COMPLEXITY || rate === undefined || frame === undefined)
    return undefined
  return { frame: Buffer.from(`af01${frame}`, 'hex'), frameMs: SAMPLES_PER_FRAME / rate }
}
