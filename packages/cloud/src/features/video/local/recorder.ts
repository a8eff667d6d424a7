import type { Feed, Tracks } from './feed.ts'
import { Ffmpeg, READ_FEED } from './ffmpeg.ts'

export interface RecorderDeps {
  readonly feed: Feed
  /** The ffmpeg program. */
  readonly program: string
  /** Creates the name of the next file, and returns the bytes that it may have; undefined if there is no space. */
  newFile(): Promise<{ readonly path: string; readonly maxBytes: number } | undefined>
  /** Called with each complete file. */
  recorded(path: string): void
}

/** Records a feed into MP4 files: one, and a further one whenever the encoding of the feed changes. */
export class Recorder {
  readonly #deps: RecorderDeps
  /** Starts and stops run one after another. */
  #queue: Promise<void> = Promise.resolve()
  #current: { readonly process: Ffmpeg; readonly path: string } | undefined
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
      onExit: () => this.#enqueue(() => this.#finish()),
    })
    this.#current = { process, path: file.path }
    feed.add(process)
  }

  async #finish(): Promise<void> {
    const current = this.#current
    this.#current = undefined
    if (!current) return
    this.#deps.feed.remove(current.process)
    await current.process.stop()
    this.#deps.recorded(current.path)
  }
}
