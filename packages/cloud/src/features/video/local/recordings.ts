import { createReadStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Gallery } from '../../gallery/index.ts'
import type { Feed } from './feed.ts'
import { FfmpegRejection, runFfmpeg } from './ffmpeg.ts'
import { Recorder } from './recorder.ts'

/** `<user id>~<input id>~<number>~<process id>.mp4` */
const NAME = /^([^~]+)~([^~]+)~\d+~(\d+)\.mp4$/

/** Time in which the index of a recording must be written. */
const INDEX_TIMEOUT_MS = 10 * 60_000

/** A recording needs at least this much space in the gallery. */
const MIN_SPACE_BYTES = 1024 * 1024

export interface RecordingsDeps {
  readonly gallery: Gallery
  /** The ffmpeg program. */
  readonly program: string
  /** Where recordings are kept until they are in the gallery. */
  readonly folder: string
  readonly log: Logger
  readonly isAlive: (pid: number) => boolean
}

/**
 * Recordings of managed streams on their way into the gallery. Files that a process left behind when it was killed are
 * added at the next start.
 */
export class Recordings {
  readonly #deps: RecordingsDeps
  readonly #stopping = new AbortController()
  #count = 0
  /** Files are added one after another, so that they do not take the machine from live streams. */
  #queue: Promise<void> = Promise.resolve()

  constructor(deps: RecordingsDeps) {
    this.#deps = deps
  }

  /** Creates the folder and adds the files that were left behind. */
  async open(): Promise<void> {
    const { folder, isAlive } = this.#deps
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const name of await readdir(folder)) {
      const pid = NAME.exec(name)?.[3]
      if (pid === undefined) await rm(join(folder, name), { force: true })
      else if (!isAlive(Number(pid))) this.#add(join(folder, name))
    }
  }

  /** Creates the recorder of an input. */
  recorder(userId: string, inputId: string, feed: Feed): Recorder {
    const { gallery, program, folder, log } = this.#deps
    return new Recorder({
      feed,
      program,
      newFile: async () => {
        const maxBytes = await gallery.freeBytes(userId).catch(() => 0)
        if (maxBytes < MIN_SPACE_BYTES) {
          log.warn({ input: inputId }, 'streams: not recorded, because the gallery is full')
          return undefined
        }
        this.#count += 1
        const owner = encodeURIComponent(userId)
        return { path: join(folder, `${owner}~${inputId}~${this.#count}~${process.pid}.mp4`), maxBytes }
      },
      recorded: (path) => this.#add(path),
    })
  }

  /** Resolves when all recordings are in the gallery. */
  async idle(): Promise<void> {
    await this.#queue
  }

  /** Waits for the recording that is being added; others are added at the next start. */
  async close(): Promise<void> {
    const deadline = setTimeout(() => this.#stopping.abort(), 5_000)
    await this.#queue
    clearTimeout(deadline)
  }

  #add(path: string): void {
    this.#queue = this.#queue.then(async () => {
      if (this.#stopping.signal.aborted) return
      try {
        await this.#addToGallery(path)
      } catch (err) {
        this.#deps.log.error(
          { err },
          'streams: a recording could not be added to the gallery; the next start retries',
        )
      }
    })
  }

  async #addToGallery(path: string): Promise<void> {
    const { gallery, program, log } = this.#deps
    const [, userId, inputId] = NAME.exec(path.slice(path.lastIndexOf('/') + 1)) ?? []
    const recorded = await stat(path).catch(() => undefined)
    const complete = `${path}.tmp`
    if (userId === undefined || inputId === undefined || !recorded?.size) return rm(path, { force: true })
    try {
      const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(INDEX_TIMEOUT_MS)])
      const args = ['-hide_banner', '-nostdin', '-loglevel', 'error', '-y', '-i', path, '-c', 'copy']
      const output = ['-movflags', '+faststart', '-f', 'mp4', complete]
      const isPlayable = await runFfmpeg(program, [...args, ...output], { signal, maxBytes: 0 }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof FfmpegRejection) return false
          throw error
        },
      )
      signal.throwIfAborted()
      const isAdded =
        isPlayable &&
        (await gallery.addRecording(decodeURIComponent(userId), inputId, createReadStream(complete)))
      const reason = isPlayable ? 'the gallery is full' : 'it contains no frame'
      if (!isAdded) log.warn({ input: inputId, reason }, 'streams: a recording was dropped')
    } finally {
      await rm(complete, { force: true })
    }
    await rm(path, { force: true })
  }
}
