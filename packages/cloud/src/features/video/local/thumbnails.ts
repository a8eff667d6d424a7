import type { Clock, Timer } from '../../../time/index.ts'
import type { Feed } from './feed.ts'
import { runFfmpeg } from './ffmpeg.ts'
import { flvHeader, flvTag } from './media-tag.ts'

const INTERVAL_MS = 10_000

const TIMEOUT_MS = 8_000

const MAX_BYTES = 1024 * 1024

const MAX_WIDTH = 640

/** Takes a JPEG of the last keyframe of a feed every ten seconds. */
export class Thumbnails {
  readonly #clock: Clock
  readonly #feed: Feed
  readonly #program: string
  readonly #stopping = new AbortController()
  #timer: Timer | undefined
  #running: Promise<void> | undefined
  #image: Buffer | undefined
  #keyframe: unknown

  /** @param program the ffmpeg program */
  constructor(clock: Clock, feed: Feed, program: string) {
    this.#clock = clock
    this.#program = program
    this.#feed = feed
  }

  /** The last picture; undefined before the first. */
  get image(): Buffer | undefined {
    return this.#image
  }

  /** Takes the first picture now. */
  start(): void {
    if (this.#timer || this.#running || this.#stopping.signal.aborted) return
    this.#running = this.#take().finally(() => {
      this.#running = undefined
      this.#timer = this.#clock.after(INTERVAL_MS, () => {
        this.#timer = undefined
        this.start()
      })
    })
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
    this.#timer?.cancel()
  }

  async #take(): Promise<void> {
    const tags = this.#feed.lastKeyframe
    const keyframe = tags?.at(-1)
    if (!tags || !keyframe || keyframe === this.#keyframe) return
    this.#keyframe = keyframe
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(TIMEOUT_MS)])
    const input = Buffer.concat([
      flvHeader({ audio: false, video: true }),
      ...tags.map((tag) => flvTag({ ...tag, timestamp: 0 })),
    ])
    try {
      this.#image = await runFfmpeg(this.#program, THUMBNAIL_ARGUMENTS, {
        input,
        signal,
        maxBytes: MAX_BYTES,
      })
    } catch {
      // The previous picture remains; a feed that cannot be decoded has none.
    }
  }
}

const THUMBNAIL_ARGUMENTS = [
  ...['-hide_banner', '-nostdin', '-loglevel', 'quiet', '-threads', '1', '-f', 'flv', '-i', 'pipe:0'],
  ...['-frames:v', '1', '-vf', `scale='min(${MAX_WIDTH},iw)':-2`, '-q:v', '5', '-threads', '1'],
  ...['-c:v', 'mjpeg', '-f', 'image2pipe', 'pipe:1'],
]
