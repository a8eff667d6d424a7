import type { Clock, Timer } from '../../../time/index.ts'
import type { Feed, Tracks } from './feed.ts'
import { Ffmpeg, READ_FEED } from './ffmpeg.ts'

/** Interval between checks of the space for a file. */
const CHECK_SPACE_MS = 1_000

/** A file that is to be recorded. */
export interface RecordingFile {
  readonly path: string
  /** Bytes that it may have. */
  readonly maxBytes: number
  /** Ends the recording. */
  readonly signal: AbortSignal
  /** Whether there is space for what is recorded until the next check. */
  hasSpace(): Promise<boolean>
  /** Whether the recording continues in a further file, because this one has the size of the largest. */
  isFull(): Promise<boolean>
}

export interface RecorderDeps {
  readonly clock: Clock
  readonly feed: Feed
  /** The ffmpeg program. */
  readonly program: string
  /** Creates the name of the next file; undefined if there is no space. */
  newFile(): Promise<RecordingFile | undefined>
  /** Called with each complete file. */
  recorded(file: RecordingFile): void
}

/** Records a feed into MP4 files: one, and a further one whenever the encoding of the feed changes or the file is full. */
export class Recorder {
  readonly #deps: RecorderDeps
  /** Starts and stops run one after another. */
  #queue: Promise<void> = Promise.resolve()
  #current: { readonly process: Ffmpeg; readonly file: RecordingFile } | undefined
  #check: Timer | undefined
  #isStopped = false

  constructor(deps: RecorderDeps) {
    this.#deps = deps
  }

  start(tracks: Tracks): void {
    this.#enqueue(async () => {
      await this.#finish()
      if (!this.#isStopped) await this.#record(tracks)
    })
  }

  /** Resolves when the last file is complete. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#enqueue(() => this.#finish())
    await this.#queue
  }

  #enqueue(task: () => Promise<void>): void {
    this.#queue = this.#queue.then(task, task)
  }

  async #record(tracks: Tracks): Promise<void> {
    const { feed, program, newFile } = this.#deps
    const file = await newFile()
    if (!file) return
    const process = new Ffmpeg(tracks, {
      program,
      // Fragments keep what was recorded readable if this process is killed.
      args: [
        ...READ_FEED,
        ...['-map', '0:v:0', '-map', '0:a:0?', '-c', 'copy', '-fs', `${file.maxBytes}`],
        ...['-f', 'mp4', '-movflags', '+frag_keyframe+empty_moov+default_base_moof', file.path],
      ],
      // It has reached the limit of the file, or failed; what it has recorded is kept.
      onExit: () =>
        this.#enqueue(async () => {
          if (this.#current?.file !== file) return
          const isFull = await file.isFull()
          await this.#finish(file)
          if (isFull && !this.#isStopped) await this.#record(tracks)
        }),
    })
    this.#current = { process, file }
    feed.add(process)
    file.signal.addEventListener('abort', () => this.#enqueue(() => this.#finish(file)), { once: true })
    if (file.signal.aborted) await this.#finish(file)
    else this.#checkSpace(file)
  }

  /** Ends the recording when there is no space for more of it. */
  #checkSpace(file: RecordingFile): void {
    this.#check = this.#deps.clock.after(CHECK_SPACE_MS, async () => {
      // An error, such as of a database that is away for a moment, says nothing about the space.
      const hasSpace = await file.hasSpace().catch(() => true)
      if (this.#current?.file !== file) return
      if (hasSpace) this.#checkSpace(file)
      else this.#enqueue(() => this.#finish(file))
    })
  }

  /** @param file the file to finish; undefined: the current one */
  async #finish(file = this.#current?.file): Promise<void> {
    const current = this.#current
    if (!current || current.file !== file) return
    this.#current = undefined
    this.#check?.cancel()
    this.#deps.feed.remove(current.process)
    await current.process.stop()
    this.#deps.recorded(current.file)
  }
}
