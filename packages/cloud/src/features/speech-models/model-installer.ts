import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type BlobStore, type DiskSpace, isDiskFull } from '../../blobs/index.ts'
import type { Clock } from '../../time/index.ts'
import { InstallError } from './install-error.ts'
import type { ModelDownloader } from './model-downloader.ts'
import { blobFolder, blobKey, type ModelFolders } from './model-folders.ts'
import {
  type InstalledFile,
  MAX_MODEL_BYTES,
  type ModelFile,
  type ModelManifest,
  type SpeechModel,
  sizeOf,
} from './speech-model.ts'
import type { Installation, SpeechModelStore } from './speech-model-store.ts'

/** Processes that may die during an installation before it fails. */
const MAX_ATTEMPTS = 10

/** Interval between records of the progress. */
const PROGRESS_INTERVAL_MS = 1_000

export interface ModelInstallerDeps {
  readonly store: SpeechModelStore
  readonly blobs: Pick<BlobStore, 'put' | 'delete' | 'list'>
  readonly folders: ModelFolders
  readonly downloader: Pick<ModelDownloader, 'download'>
  /** The space on the disk of the downloads and, unless they are in a bucket, of the blobs. */
  readonly space: Pick<DiskSpace, 'available'>
  readonly hasBlobsOnDisk: boolean
  readonly clock: Clock
  readonly log: Logger
}

/** How a file of a model comes to this machine. */
interface FetchedFile {
  readonly path: string
  /** If the publisher states it. */
  readonly sha256?: string
}

/** A file has another content than the manifest or the publisher states. */
class WrongContent extends InstallError {}

/**
 * Installs speech models: gets each file, compares it with its hash while it is put into the file store, and makes the model
 * visible when all are there. Several processes may each run one.
 */
export class ModelInstaller {
  /** Unique across processes and restarts. */
  readonly owner = randomUUID()
  readonly #deps: ModelInstallerDeps
  readonly #stopping = new AbortController()

  constructor(deps: ModelInstallerDeps) {
    this.#deps = deps
  }

  /** Claims no further installation and interrupts the current one, which any node continues. */
  stop(): void {
    this.#stopping.abort(new Error('The cloud is stopping'))
  }

  /** Installs requested models until none is pending. */
  async processAll(): Promise<void> {
    const { store, clock } = this.#deps
    while (!this.#stopping.signal.aborted) {
      const job = await store.leases.claim(this.owner, clock.now())
      if (job === undefined) return
      await this.run(job)
    }
  }

  /**
   * Installs a model that this process has leased.
   * @param localFolder where its files are; without it they are downloaded
   * @param report receives the bytes so far
   * @returns why it failed, if it did
   */
  async run(
    job: Installation,
    localFolder?: string,
    report: (received: number) => void = () => {},
  ): Promise<string | undefined> {
    const { store, clock, log } = this.#deps
    const lease = store.leases.keep(job.id, this.owner, clock)
    const ended = new AbortController()
    const signal = AbortSignal.any([lease.lost, ended.signal, this.#stopping.signal])
    const cancel = () => ended.abort(new InstallError('The installation was canceled'))
    try {
      if (job.attempts > MAX_ATTEMPTS)
        throw new InstallError('The installation was interrupted too often; look at the log of the cloud')
      await this.#install(job, { localFolder, signal, report, cancel })
      log.info({ speechModel: job.id }, 'speech models: installed')
      return undefined
    } catch (error) {
      // A canceled installation has no row, and one that another process continues is not this one's.
      if (ended.signal.aborted || lease.lost.aborted) {
        await this.#clean(job)
        return 'The installation was canceled'
      }
      if (this.#stopping.signal.aborted && localFolder === undefined) {
        await store.release(job.id, this.owner, job.attempts - 1)
        return 'The installation is interrupted'
      }
      const failure = sentenceOf(error)
      log.warn({ err: error, speechModel: job.id }, 'speech models: an installation failed')
      await store.fail(job.id, this.owner, failure)
      return failure
    } finally {
      lease.stop()
    }
  }

  async #install(
    job: Installation,
    run: {
      readonly localFolder: string | undefined
      readonly signal: AbortSignal
      report(received: number): void
      cancel(): void
    },
  ): Promise<void> {
    const { store, clock, folders } = this.#deps
    const { installId } = job
    const { localFolder, signal } = run
    const files = [...job.manifest.files]
    let { storedFiles } = job
    await this.#requireSpace(job, localFolder)
    let received = sumOf(files.slice(0, storedFiles))
    let recordedAt = Number.NEGATIVE_INFINITY
    /** Records the progress, at most once a second unless a file is complete. */
    const record = async (now: number, isFileComplete: boolean) => {
      run.report(now)
      const at = clock.monotonicNow()
      if (!isFileComplete && at - recordedAt < PROGRESS_INTERVAL_MS) return
      recordedAt = at
      const state = { ...job, manifest: { ...job.manifest, files }, storedFiles, receivedBytes: now }
      if (!(await store.setProgress(state, this.owner))) run.cancel()
    }
    for (const [index, file] of files.entries()) {
      if (index < storedFiles) continue
      signal.throwIfAborted()
      const before = received
      const onProgress = (bytes: number) => void record(before + bytes, false).catch(() => {})
      const fetched =
        localFolder === undefined
          ? await this.#download(job, index, file, before, signal, onProgress)
          : { path: join(localFolder, file.name) }
      const stored = await this.#store(job, index, file, fetched, signal).catch(async (error: unknown) => {
        if (error instanceof WrongContent && localFolder === undefined) await removePartial(fetched.path)
        throw error
      })
      if (localFolder === undefined) await removePartial(fetched.path)
      files[index] = stored
      storedFiles = index + 1
      received += stored.bytes
      await record(received, true)
    }
    signal.throwIfAborted()
    const model = toSpeechModel(job.manifest, files)
    if (!(await store.complete({ installId, model }, this.owner, clock.now()))) {
      run.cancel()
      signal.throwIfAborted()
    }
    await folders.removeDownloads(installId)
  }

  async #download(
    { installId }: Installation,
    index: number,
    { name, url, bytes, sha256 }: ModelFile,
    before: number,
    signal: AbortSignal,
    onProgress: (bytes: number) => void,
  ): Promise<FetchedFile> {
    const { folders, downloader } = this.#deps
    if (url === undefined) throw new InstallError(`The manifest has no address for the file ${name}`)
    const path = join(await folders.downloads(installId), String(index))
    const maxBytes = MAX_MODEL_BYTES - before
    const hasHash = sha256 !== undefined
    const published = await downloader.download(url, path, { bytes, maxBytes, hasHash, signal, onProgress })
    return { path, ...published }
  }

  /** Puts a file into the file store, unless its content is wrong. */
  async #store(
    { id, installId }: Installation,
    index: number,
    file: ModelFile,
    fetched: FetchedFile,
    signal: AbortSignal,
  ): Promise<InstalledFile> {
    const { blobs } = this.#deps
    const { path } = fetched
    await stat(path).catch((error: NodeJS.ErrnoException) => {
      throw new InstallError(`The file ${file.name} cannot be read (${error.code})`)
    })
    const hash = createHash('sha256')
    let stored: InstalledFile | undefined
    const content = async function* () {
      let bytes = 0
      for await (const chunk of createReadStream(path, { highWaterMark: 512 * 1024 })) {
        hash.update(chunk)
        bytes += chunk.length
        yield chunk as Uint8Array
      }
      const sha256 = hash.digest('hex')
      // The blob store keeps nothing of a source that fails.
      requireContent(file, fetched, { bytes, sha256 })
      stored = { ...file, bytes, sha256 }
    }
    await blobs.put(blobKey(id, installId, index), content(), { signal })
    if (stored === undefined) throw new Error('The file store did not read the file')
    return stored
  }

  /** Each file is on the disk twice until it is stored; the copy that is used comes later. */
  async #requireSpace(
    { manifest, storedFiles }: Installation,
    localFolder: string | undefined,
  ): Promise<void> {
    const missing = { ...manifest, files: manifest.files.slice(storedFiles) }
    const bytes = sizeOf(missing)
    if (bytes === undefined) return
    const largest = Math.max(0, ...missing.files.map((file) => file.bytes ?? 0))
    const { hasBlobsOnDisk, space } = this.#deps
    const needed = (hasBlobsOnDisk ? bytes : 0) + (localFolder === undefined ? largest : 0) + bytes
    const available = await space.available()
    if (available >= needed) return
    throw new InstallError(
      `The disk is too full: ${megabytes(needed)} MB are needed for the files and the copy that is used, ${megabytes(Math.max(0, available))} MB are free beyond DISK_RESERVE_MB`,
    )
  }

  /** Deletes what an installation that has ended without a result left. */
  async #clean({ id, installId }: Installation): Promise<void> {
    const { store, folders, blobs } = this.#deps
    if ((await store.installIds()).has(installId)) return
    await folders.removeDownloads(installId)
    await deleteBlobs(blobs, id, installId)
  }
}

/** Deletes the files of an installation from the file store. */
export async function deleteBlobs(
  blobs: Pick<BlobStore, 'list' | 'delete'>,
  id: string,
  installId: string,
): Promise<void> {
  for await (const { key } of blobs.list(blobFolder(id, installId))) await blobs.delete(key)
}

function requireContent(
  file: ModelFile,
  fetched: FetchedFile,
  { bytes, sha256 }: { readonly bytes: number; readonly sha256: string },
): void {
  if (file.bytes !== undefined && file.bytes !== bytes)
    throw new WrongContent(
      `The file ${file.name} has ${bytes} bytes instead of ${file.bytes}; nothing was installed`,
    )
  const expected = file.sha256 ?? fetched.sha256
  if (expected === undefined || expected === sha256) return
  const by = file.sha256 === undefined ? 'its publisher' : 'the manifest'
  throw new WrongContent(
    `The file ${file.name} has the SHA-256 ${sha256}, but ${by} states ${expected}; nothing was installed`,
  )
}

function toSpeechModel(
  { downloadBytes: _, checked: __, ...manifest }: ModelManifest,
  files: readonly ModelFile[],
): SpeechModel {
  return {
    ...manifest,
    files: files.map((file) => {
      const { bytes, sha256 } = file
      if (bytes === undefined || sha256 === undefined) throw new Error(`The file ${file.name} is not stored`)
      return { ...file, bytes, sha256 }
    }),
  }
}

async function removePartial(path: string): Promise<void> {
  await rm(path, { force: true })
  await rm(`${path}.json`, { force: true })
}

function sentenceOf(error: unknown): string {
  if (error instanceof InstallError) return error.message
  if (isDiskFull(error)) return 'The disk is full; make space and install the model again'
  return 'The installation failed for a reason that is in the log of the cloud; install the model again to continue'
}

const sumOf = (files: readonly ModelFile[]) => files.reduce((sum, { bytes = 0 }) => sum + bytes, 0)

const megabytes = (bytes: number) => Math.ceil(bytes / 1_000_000)
