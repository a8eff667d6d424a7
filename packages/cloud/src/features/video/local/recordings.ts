import { createReadStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { DiskSpace } from '../../../blobs/index.ts'
import type { Clock, Timer } from '../../../time/index.ts'
import {
  type Gallery,
  RESERVATION_LEASE_MS,
  type Reservation,
  UserDeletedError,
} from '../../gallery/index.ts'
import type { Feed } from './feed.ts'
import { FfmpegRejection, runFfmpeg } from './ffmpeg.ts'
import { Recorder, type RecordingFile } from './recorder.ts'

/** `<user id>~<input id>~<number>~<process id>.mp4` */
const NAME = /^([^~]+)~([^~]+)~\d+~(\d+)\.mp4$/

/** Time in which the index of a recording must be written. */
const INDEX_TIMEOUT_MS = 10 * 60_000

/** Time after which a recording that could not be added is tried again: space that a killed process held is free then. */
const RETRY_MS = RESERVATION_LEASE_MS + 5_000

/** A recording needs at least this much space in the gallery. */
const MIN_SPACE_BYTES = 1024 * 1024

/** Space that a recording reserves at a time. */
const SPACE_STEP_BYTES = 32 * 1024 * 1024

/** The largest file of a recording. Its copies while it is added to the gallery need up to twice as much. */
const MAX_FILE_BYTES = 1024 * 1024 * 1024

/** Part of the reserved space that a file leaves for its index. */
const INDEX_SHARE = 0.01

/** A file that ended with at least this part of the largest size was full. */
const FULL_SHARE = 0.9

export interface RecordingsDeps {
  readonly gallery: Gallery
  /** The ffmpeg program. */
  readonly program: string
  /** Where recordings are kept until they are in the gallery. */
  readonly folder: string
  /** Bytes that recordings leave free on the disk of the folder. */
  readonly diskReserveBytes: number
  readonly clock: Clock
  readonly log: Logger
  readonly isAlive: (pid: number) => boolean
}

/** A file that is recorded into the space that its user has reserved. */
interface ReservedFile extends RecordingFile {
  readonly reservation: Reservation
}

/** A complete file that is not in the gallery yet. */
interface WaitingFile {
  readonly path: string
  /** Undefined until there is space for what another process left behind. */
  reservation: Reservation | undefined
  attempts: number
  /** Whether it is being added or discarded. */
  isBusy: boolean
  retry?: Timer
}

/**
 * Recordings of managed streams on their way into the gallery. Files that a process left behind when it was killed are
 * added at the next start, unless their user was deleted.
 */
export class Recordings {
  readonly #deps: RecordingsDeps
  readonly #space: DiskSpace
  readonly #stopping = new AbortController()
  #count = 0
  /** Files that are in the queue, or are tried again later. */
  readonly #waiting = new Set<WaitingFile>()
  #unsubscribe: (() => void) | undefined
  /** Files are added one after another, so that they do not take the machine from live streams. */
  #queue: Promise<void> = Promise.resolve()

  constructor(deps: RecordingsDeps) {
    this.#deps = deps
    this.#space = new DiskSpace(deps.folder, deps.diskReserveBytes)
  }

  /** Creates the folder and adds the files that were left behind. */
  async open(): Promise<void> {
    const { folder, gallery, isAlive, log } = this.#deps
    await mkdir(folder, { recursive: true, mode: 0o700 })
    this.#unsubscribe?.()
    this.#unsubscribe = gallery.onEnd((userId) => {
      this.removeByUser(userId).catch((err: unknown) =>
        log.error({ err }, 'streams: a recording of a deleted user could not be removed'),
      )
    })
    for (const name of await readdir(folder)) {
      const pid = NAME.exec(name)?.[3]
      if (pid === undefined) await rm(join(folder, name), { force: true })
      else if (!isAlive(Number(pid))) this.#add(join(folder, name))
    }
  }

  /** Creates the recorder of an input. */
  recorder(userId: string, inputId: string, feed: Feed): Recorder {
    const { program, clock, log } = this.#deps
    return new Recorder({
      clock,
      feed,
      program,
      newFile: async () => {
        const file = await this.#newFile(userId, inputId).catch((err: unknown) => {
          log.warn({ err, input: inputId }, 'streams: not recorded, because there is no space')
          return undefined
        })
        if (!file) log.warn({ input: inputId }, 'streams: not recorded, because the gallery is full')
        return file
      },
      recorded: (file) => this.#add(file.path, (file as ReservedFile).reservation),
    })
  }

  /** Removes files of a deleted user that another process left behind. */
  async removeByUser(userId: string): Promise<void> {
    const { folder } = this.#deps
    const prefix = `${encodeURIComponent(userId)}~`
    for (const name of await readdir(folder).catch(() => []))
      if (name.startsWith(prefix)) await rm(join(folder, name), { force: true })
  }

  /** Resolves when all recordings are in the gallery, except those that are tried again later. */
  async idle(): Promise<void> {
    await this.#queue
  }

  /** Waits for the recording that is being added; others are added at the next start. */
  async close(): Promise<void> {
    const deadline = setTimeout(() => this.#stopping.abort(), 5_000)
    await this.#queue
    clearTimeout(deadline)
    this.#unsubscribe?.()
    for (const file of [...this.#waiting]) await this.#done(file)
  }

  /** @returns undefined if the gallery is full @throws DiskFullError, UserDeletedError */
  async #newFile(userId: string, inputId: string): Promise<ReservedFile | undefined> {
    const { gallery, folder } = this.#deps
    await this.#space.check()
    const reservation = await gallery.reserve(userId, 'recording', SPACE_STEP_BYTES)
    if (reservation === undefined || reservation.bytes < MIN_SPACE_BYTES) {
      await reservation?.release()
      return undefined
    }
    this.#count += 1
    const path = join(folder, `${encodeURIComponent(userId)}~${inputId}~${this.#count}~${process.pid}.mp4`)
    // Beyond its first step it has what is free then.
    const isLast = reservation.bytes < SPACE_STEP_BYTES
    const sizeOf = async () => (await stat(path).catch(() => undefined))?.size ?? 0
    return {
      path,
      maxBytes: isLast ? Math.floor(reservation.bytes * (1 - INDEX_SHARE)) : MAX_FILE_BYTES,
      reservation,
      signal: reservation.signal,
      hasSpace: async () => {
        if ((await this.#space.available()) < 0) return false
        const needed = (await sizeOf()) * (1 + INDEX_SHARE) + SPACE_STEP_BYTES / 2
        if (!isLast && reservation.bytes < needed) await reservation.extend(SPACE_STEP_BYTES)
        return isLast || reservation.bytes >= needed
      },
      // ffmpeg ends before the limit, at the end of a fragment.
      isFull: async () => !isLast && (await sizeOf()) >= MAX_FILE_BYTES * FULL_SHARE,
    }
  }

  /** @param reservation its space; undefined: it was left behind by another process */
  #add(path: string, reservation?: Reservation): void {
    const file: WaitingFile = { path, reservation: undefined, attempts: 0, isBusy: false }
    this.#waiting.add(file)
    if (reservation) this.#hold(file, reservation)
    this.#enqueue(file)
  }

  /** Gives space to a file, which is discarded when its user is deleted. */
  #hold(file: WaitingFile, reservation: Reservation): void {
    file.reservation = reservation
    // It need not wait for the files before it.
    const discardWaiting = () => {
      if (!file.isBusy) void this.#discard(file)
    }
    if (reservation.signal.aborted) discardWaiting()
    else reservation.signal.addEventListener('abort', discardWaiting, { once: true })
  }

  /** Removes a file whose user is being deleted, or tries again later. */
  async #discard(file: WaitingFile): Promise<void> {
    file.isBusy = true
    try {
      await rm(file.path, { force: true })
      await this.#done(file)
    } catch {
      file.isBusy = false
      this.#retry(file)
    }
  }

  async #done(file: WaitingFile): Promise<void> {
    this.#waiting.delete(file)
    file.retry?.cancel()
    await file.reservation?.release()
  }

  #enqueue(file: WaitingFile): void {
    this.#queue = this.#queue.then(() => this.#process(file))
  }

  /** Adds a file to the gallery, or tries again later; until then it keeps its space. */
  async #process(file: WaitingFile): Promise<void> {
    if (this.#stopping.signal.aborted || file.isBusy || !this.#waiting.has(file)) return
    if (file.reservation?.signal.aborted) return await this.#discard(file)
    file.isBusy = true
    file.attempts += 1
    try {
      if (await this.#addToGallery(file)) return await this.#done(file)
    } catch (err) {
      if (err instanceof UserDeletedError) return await this.#discard(file)
      if (!file.reservation?.signal.aborted)
        this.#deps.log.error(
          { err },
          'streams: a recording could not be added to the gallery; it is tried again',
        )
    } finally {
      file.isBusy = false
    }
    if (file.reservation?.signal.aborted) await this.#discard(file)
    else this.#retry(file)
  }

  #retry(file: WaitingFile): void {
    file.retry = this.#deps.clock.after(RETRY_MS, () => this.#enqueue(file))
  }

  /**
   * @returns whether the file is finished: in the gallery, or dropped
   * @throws UserDeletedError
   */
  async #addToGallery(file: WaitingFile): Promise<boolean> {
    const { gallery, program, log } = this.#deps
    const { path } = file
    const [, owner, inputId] = NAME.exec(path.slice(path.lastIndexOf('/') + 1)) ?? []
    const recorded = await stat(path).catch(() => undefined)
    const complete = `${path}.tmp`
    if (owner === undefined || inputId === undefined || !recorded?.size) {
      await rm(path, { force: true })
      return true
    }
    const userId = decodeURIComponent(owner)
    const needed = Math.ceil(recorded.size * (1 + INDEX_SHARE))
    if (!file.reservation) {
      const reservation = await gallery.reserve(userId, 'recording', needed)
      if (reservation && reservation.bytes < needed && file.attempts === 1) {
        // The process that recorded it may still hold its space.
        await reservation.release()
        return false
      }
      if (reservation) this.#hold(file, reservation)
    }
    const { reservation } = file
    // It was recorded further while no space could be reserved.
    if (reservation && reservation.bytes < needed) await reservation.extend(needed - reservation.bytes)
    try {
      const signal = AbortSignal.any([
        this.#stopping.signal,
        AbortSignal.timeout(INDEX_TIMEOUT_MS),
        ...(reservation ? [reservation.signal] : []),
      ])
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
        reservation !== undefined &&
        (await gallery.addRecording(userId, inputId, createReadStream(complete), { reservation }))
      const reason = isPlayable ? 'the gallery is full' : 'it contains no frame'
      if (!isAdded) log.warn({ input: inputId, reason }, 'streams: a recording was dropped')
    } finally {
      await rm(complete, { force: true })
    }
    await rm(path, { force: true })
    return true
  }
}
