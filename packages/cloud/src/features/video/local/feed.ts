import type { Clock, Timer } from '../../../time/index.ts'
import type { MediaTag } from './media-tag.ts'

/** Receives the tags of a feed, headers first. */
export interface FeedReader {
  write(tag: MediaTag): void
}

/** The tracks of a feed. */
export interface Tracks {
  readonly audio: boolean
  readonly video: boolean
}

export interface FeedEvents {
  /** The tracks are known; called once for each change of the encoding. */
  onTracks(tracks: Tracks): void
}

/** Bytes after a keyframe beyond which a publisher is disconnected: without keyframes nothing can be packaged. */
const MAX_GOP_BYTES = 32 * 1024 * 1024

/** Memory of a tag beside its data, so that many small tags count as well. */
const TAG_OVERHEAD_BYTES = 256

/** Time without a keyframe after which a publisher is disconnected. */
const MAX_GOP_MS = 30_000

/** Duration of a segment of a packager, which ends at the next keyframe. */
export const SEGMENT_SECONDS = 1

/** Time in which the timestamps of a publisher must advance by a segment. */
const MAX_SEGMENT_MS = 30_000

/** Segments of each track that a packager keeps. */
export const KEPT_SEGMENTS = 14

/** Bytes of the last kept segments beyond which a publisher is disconnected. */
const MAX_KEPT_BYTES = 512 * 1024 * 1024

/** Changes of the encoding within a minute beyond which a publisher is disconnected: each restarts all processes. */
const MAX_CHANGES = 5

const CHANGES_WINDOW_MS = 60_000

/** Steps back and ahead of the timestamps of a track beyond which the clock of the publisher was set. */
const MAX_STEP_BACK_MS = 1_000
const MAX_STEP_AHEAD_MS = 10_000

/** Distance of audio and video that are of the same clock. */
const MAX_SKEW_MS = 10_000

/** The timestamps of a track of the publisher. */
interface TrackClock {
  /** Added to the timestamps. */
  readonly offset: number
  /** The last timestamp, and when it was received. */
  readonly timestamp: number
  readonly at: number
}

/** Time after the first keyframe for which a feed without audio waits for audio. */
const AUDIO_WAIT_MS = 800

/**
 * The feed of one input: the tags of its publisher, on one continuous timeline across reconnects. New readers start at
 * the last keyframe.
 */
export class Feed {
  readonly #clock: Clock
  readonly #events: FeedEvents
  readonly #readers = new Set<FeedReader>()
  #metadata: MediaTag | undefined
  #audioHeader: MediaTag | undefined
  #videoHeader: MediaTag | undefined
  /** The tags since the last keyframe. */
  #gop: MediaTag[] = []
  #gopBytes = 0
  #gopStartedAt = 0
  #tracks: Tracks | undefined
  #tracksTimer: Timer | undefined
  /** Undefined until the first frame of the track. */
  #clocks: { audio?: TrackClock; video?: TrackClock } = {}
  #lastTimestamp = 0
  #lastTagAt: number | undefined
  #isInvalid = false
  /** The segments of each track, as a packager cuts them. */
  readonly #segments = { audio: new SegmentBudget(), video: new SegmentBudget() }
  /** When the encoding changed within the last minute; also of previous publishers. */
  #changes: number[] = []

  constructor(clock: Clock, events: FeedEvents) {
    this.#clock = clock
    this.#events = events
  }

  /** Undefined until they are known. */
  get tracks(): Tracks | undefined {
    return this.#tracks
  }

  /** The last keyframe with its header; undefined before the first. */
  get lastKeyframe(): readonly MediaTag[] | undefined {
    const [keyframe] = this.#gop
    return this.#videoHeader && keyframe ? [this.#videoHeader, keyframe] : undefined
  }

  /**
   * Whether the publisher must be disconnected: it sends no keyframes, its timestamps do not advance, or its encoding
   * changes all the time.
   */
  get isInvalid(): boolean {
    return this.#isInvalid
  }

  /** A publisher connected: its timestamps start anew, and continue the timeline of the feed. */
  publisherConnected(): void {
    this.#clocks = {}
    this.#gopStartedAt = this.#clock.monotonicNow()
    this.#gopBytes = 0
    this.#isInvalid = false
    for (const segments of Object.values(this.#segments)) segments.resume(this.#gopStartedAt)
  }

  /** Handles a tag of the publisher. */
  push(received: MediaTag): void {
    if (this.#isInvalid) return
    const tag = { ...received, timestamp: this.#continueTimeline(received) }
    if (this.#exceedsBudget(tag)) return this.#reject()
    const isChanged = this.#isOtherEncoding(tag)
    // Several headers may change before the next frame, which restarts everything once.
    if (isChanged && this.#tracks && this.#changesTooOften()) return this.#reject()
    // Readers cannot continue with another encoding; frames of the previous one are useless to new readers.
    if (isChanged) {
      this.#readers.clear()
      this.#gop = []
      this.#tracks = undefined
    }
    // First, because new readers that are added below receive this tag with the others since the last keyframe.
    for (const reader of this.#readers) reader.write(tag)
    if (tag.kind === 'metadata') this.#metadata = tag
    else if (isHeader(tag)) this.#setHeader(tag)
    else this.#keep(tag)
  }

  /** Adds a reader, which receives the headers and the tags since the last keyframe immediately. */
  add(reader: FeedReader): void {
    for (const tag of [this.#metadata, this.#videoHeader, this.#audioHeader, ...this.#gop])
      if (tag) reader.write(tag)
    this.#readers.add(reader)
  }

  remove(reader: FeedReader): void {
    this.#readers.delete(reader)
  }

  end(): void {
    this.#tracksTimer?.cancel()
    this.#readers.clear()
    this.#gop = []
  }

  /**
   * Shifts a timestamp so that the timeline never goes back, and a pause lasts as long as it did, also where the clock of the publisher
   * was set. Headers and metadata, which may have any timestamp, have that of the last frame.
   */
  #continueTimeline({ kind, timestamp }: MediaTag): number {
    if (kind === 'metadata' || isHeader({ kind })) return this.#lastTimestamp
    const at = this.#clock.monotonicNow()
    const [track, otherTrack] =
      kind === 'audio' ? (['audio', 'video'] as const) : (['video', 'audio'] as const)
    const [own, other] = [this.#clocks[track], this.#clocks[otherTrack]]
    const isWithin = (clock: TrackClock, backMs: number, aheadMs: number) =>
      timestamp >= clock.timestamp - backMs && timestamp <= clock.timestamp + (at - clock.at) + aheadMs
    const clock =
      own && isWithin(own, MAX_STEP_BACK_MS, MAX_STEP_AHEAD_MS)
        ? own
        : other && isWithin(other, MAX_SKEW_MS, MAX_SKEW_MS)
          ? other
          : undefined
    const last = own && { time: own.timestamp + own.offset, at: own.at }
    const { time, at: lastAt } = last ?? { time: this.#lastTimestamp, at: this.#lastTagAt ?? at }
    const offset = clock?.offset ?? time + Math.max(at - lastAt, 1) - timestamp
    this.#clocks[track] = { offset, timestamp, at }
    this.#lastTagAt = at
    const shifted = Math.max(timestamp + offset, 0)
    this.#lastTimestamp = Math.max(this.#lastTimestamp, shifted)
    return shifted
  }

  #isOtherEncoding(tag: MediaTag): boolean {
    const known = tag.kind === 'audio-header' ? this.#audioHeader : this.#videoHeader
    return isHeader(tag) && known !== undefined && !known.data.equals(tag.data)
  }

  #setHeader(tag: MediaTag): void {
    if (tag.kind === 'audio-header') this.#audioHeader = tag
    else this.#videoHeader = tag
    // Publishers repeat the headers, when they return at the latest: only audio is new in a feed without audio.
    if (tag.kind === 'audio-header' && this.#tracks?.audio === false) this.#tracks = undefined
    this.#detectTracks()
  }

  #keep(tag: MediaTag): void {
    if (tag.kind === 'keyframe') {
      this.#gop = []
      this.#gopBytes = 0
      this.#gopStartedAt = this.#clock.monotonicNow()
    }
    this.#gopBytes += tag.data.length + TAG_OVERHEAD_BYTES
    if (this.#gopBytes > MAX_GOP_BYTES || this.#clock.monotonicNow() - this.#gopStartedAt > MAX_GOP_MS)
      return this.#reject()
    if (tag.kind === 'keyframe' || this.#gop.length > 0) this.#gop.push(tag)
    if (tag.kind === 'keyframe') this.#detectTracks()
  }

  #reject(): void {
    this.#isInvalid = true
    this.#gop = []
  }

  /** Counts a change of the encoding. @returns whether there are too many */
  #changesTooOften(): boolean {
    const now = this.#clock.monotonicNow()
    this.#changes = this.#changes.filter((at) => now - at < CHANGES_WINDOW_MS)
    this.#changes.push(now)
    return this.#changes.length > MAX_CHANGES
  }

  /** Counts a tag for the segment that a packager writes it to. */
  #exceedsBudget({ kind, timestamp, data }: MediaTag): boolean {
    if (kind === 'metadata' || isHeader({ kind })) return false
    const isAudio = kind === 'audio'
    const { audio, video } = this.#segments
    const budget = isAudio ? audio : video
    budget.add(data.length, timestamp, this.#clock.monotonicNow(), isAudio || kind === 'keyframe')
    return budget.isStalled || audio.bytes + video.bytes > MAX_KEPT_BYTES
  }

  #detectTracks(): void {
    if (this.#tracks || !this.#videoHeader || this.#gop.length === 0) return
    if (this.#audioHeader) return this.#setTracks({ audio: true, video: true })
    this.#tracksTimer ??= this.#clock.after(AUDIO_WAIT_MS, () => {
      this.#tracksTimer = undefined
      if (!this.#tracks) this.#setTracks({ audio: this.#audioHeader !== undefined, video: true })
    })
  }

  #setTracks(tracks: Tracks): void {
    this.#tracks = tracks
    this.#events.onTracks(tracks)
  }
}

function isHeader({ kind }: Pick<MediaTag, 'kind'>): boolean {
  return kind === 'audio-header' || kind === 'video-header'
}

/** The bytes of the segments of one track. A packager ends a segment by the timestamps that the publisher sends. */
class SegmentBudget {
  /** The bytes of the kept segments, the current one last. */
  readonly #segments = [0]
  #timestamp: number | undefined
  #startedAt = 0
  #isStalled = false

  /** Whether the timestamps advanced by less than a segment for too long. */
  get isStalled(): boolean {
    return this.#isStalled
  }

  /** Bytes of the kept segments. */
  get bytes(): number {
    return this.#segments.reduce((sum, bytes) => sum + bytes, 0)
  }

  /** Restarts the time of the current segment: a publisher returned. Its bytes remain. */
  resume(now: number): void {
    this.#startedAt = now
    this.#isStalled = false
  }

  /** @param canStart whether a segment can start with this tag */
  add(bytes: number, timestamp: number, now: number, canStart: boolean): void {
    const isLater = this.#timestamp === undefined || timestamp - this.#timestamp >= SEGMENT_SECONDS * 1_000
    if (canStart && isLater) {
      this.#timestamp = timestamp
      this.#startedAt = now
      this.#segments.push(0)
      if (this.#segments.length > KEPT_SEGMENTS) this.#segments.shift()
    }
    this.#segments.push((this.#segments.pop() ?? 0) + bytes + TAG_OVERHEAD_BYTES)
    this.#isStalled = this.#timestamp !== undefined && now - this.#startedAt > MAX_SEGMENT_MS
  }
}
