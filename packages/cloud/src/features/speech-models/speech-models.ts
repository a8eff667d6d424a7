import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { BlobStore } from '../../blobs/index.ts'
import type { Database } from '../../db/index.ts'
import type { BackgroundJob } from '../../feature.ts'
import { fault } from '../../http/fault.ts'
import { createSweepJob, type JobRunStore, PeriodicTask, type SweepJob } from '../../jobs/index.ts'
import type { Clock } from '../../time/index.ts'
import { InstallError } from './install-error.ts'
import type { ModelDownloader } from './model-downloader.ts'
import { BLOB_FOLDER, type ModelFolders } from './model-folders.ts'
import { deleteBlobs, type ModelInstaller } from './model-installer.ts'
import { type ModelManifest, readManifest } from './speech-model.ts'
import type { Installation, InstalledModel, InstallRequest, SpeechModelStore } from './speech-model-store.ts'

/** Interval between looking for installations of processes that died; new ones start immediately. */
const POLL_INTERVAL_MS = 15_000

/** Interval between deletions of files of installations that have ended. */
const SWEEP_INTERVAL_MS = 24 * 60 * 60_000

const SWEEP_CHECK_MS = 60 * 60_000

/** Time within which the manifest at an address must be read. */
const MANIFEST_TIMEOUT_MS = 15_000

export interface SpeechModelsDeps {
  readonly store: SpeechModelStore
  readonly installer: ModelInstaller
  readonly downloader: ModelDownloader
  readonly folders: ModelFolders
  readonly blobs: Pick<BlobStore, 'list' | 'delete'>
  readonly catalogue: readonly ModelManifest[]
  readonly runs: JobRunStore
  readonly clock: Clock
  readonly log: Logger
}

/** The models that administrators can install, install and remove, and the work of this node on them. */
export class SpeechModels implements BackgroundJob {
  readonly #deps: SpeechModelsDeps
  readonly #work: PeriodicTask
  readonly #sweep: SweepJob

  constructor(deps: SpeechModelsDeps) {
    this.#deps = deps
    const { installer, clock, log, runs } = deps
    this.#work = new PeriodicTask({
      clock,
      everyMs: POLL_INTERVAL_MS,
      run: () => installer.processAll(),
      failed: (err) => log.error({ err }, 'speech models: requested models could not be installed'),
    })
    this.#sweep = createSweepJob({
      name: 'speech-model-sweep',
      everyMs: SWEEP_INTERVAL_MS,
      checkEveryMs: SWEEP_CHECK_MS,
      sweep: (signal) => this.#deleteLeftOvers(signal),
      runs,
      clock,
      log,
    })
  }

  /** Continues interrupted installations, and deletes what is left on the disk of this node. */
  start(countFailure?: () => void): void {
    const { store, folders, log } = this.#deps
    const clean = async () => {
      const installed = await store.listInstalled()
      await folders.removeLeftOvers(installed, await store.installIds())
    }
    clean().catch((err: unknown) => log.error({ err }, 'speech models: old files could not be deleted'))
    this.#work.start(countFailure)
    this.#sweep.start(countFailure)
  }

  async stop(): Promise<void> {
    this.#deps.installer.stop()
    await Promise.all([this.#work.stop(), this.#sweep.stop()])
  }

  /** Resolves when no model is being installed on this node. */
  async idle(): Promise<void> {
    await Promise.all([this.#work.idle(), this.#sweep.idle()])
  }

  /**
   * Returns the manifest of a model of the catalogue, or at an address, whose files are beside it unless it says otherwise.
   * @throws Fault `SPEECH_MODEL_NOT_FOUND`, `SPEECH_MODEL_UNREACHABLE`, `SPEECH_MODEL_INVALID`
   */
  async findManifest(source: { readonly id?: string; readonly url?: string }): Promise<ModelManifest> {
    if (source.url === undefined) {
      const listed = this.#deps.catalogue.find(({ id }) => id === source.id)
      if (listed === undefined) throw fault('SPEECH_MODEL_NOT_FOUND')
      return listed
    }
    return fetchManifest(this.#deps.downloader, source.url)
  }

  /**
   * Requests the installation of a model. Once the transaction is committed and `wake` called, it will be installed or fail,
   * even if the process dies.
   * @throws Fault `SPEECH_MODEL_INSTALLED`, `SPEECH_MODEL_INSTALLING`
   */
  async request(manifest: ModelManifest, trx: Database): Promise<void> {
    const { store, clock } = this.#deps
    await requestInstall(
      store.within(trx),
      { manifest, source: 'web', installId: newInstallId() },
      clock.now(),
    )
  }

  /** Starts requested installations on this node. */
  wake(): void {
    this.#work.wake()
  }

  /** Deletes the files of a removed model. What fails here is deleted by a later sweep. */
  async deleteFiles({ model, installId }: InstalledModel): Promise<void> {
    const { blobs, folders, log } = this.#deps
    try {
      await folders.remove({ model, installId })
      await deleteBlobs(blobs, model.id, installId)
    } catch (err) {
      log.warn({ err, speechModel: model.id }, 'speech models: files of a removed model remain for now')
    }
  }

  /** Deletes what a canceled installation left. Of one in progress, the node that runs it does so. */
  async deleteRemains({ id, installId, isFailed }: Installation): Promise<void> {
    if (!isFailed) return
    const { blobs, folders, log } = this.#deps
    try {
      await folders.removeDownloads(installId)
      await deleteBlobs(blobs, id, installId)
    } catch (err) {
      log.warn({ err, speechModel: id }, 'speech models: files of a canceled installation remain for now')
    }
  }

  /** Deletes blobs of installations that were canceled or removed. */
  async #deleteLeftOvers(signal: AbortSignal): Promise<void> {
    const { blobs, store } = this.#deps
    const found = new Set<string>()
    for await (const { key } of blobs.list(BLOB_FOLDER)) found.add(key)
    // Read after the blobs: the rows of an installation exist before its blobs.
    const known = await store.installIds()
    for (const key of found) {
      signal.throwIfAborted()
      if (!known.has(key.split('/')[2] ?? '')) await blobs.delete(key)
    }
  }
}

/** Returns a new id of an installation. */
export function newInstallId(): string {
  return randomUUID().replaceAll('-', '')
}

/** Requests an installation. @throws Fault `SPEECH_MODEL_INSTALLED`, `SPEECH_MODEL_INSTALLING` */
export async function requestInstall(
  store: SpeechModelStore,
  request: InstallRequest,
  now: number,
): Promise<void> {
  const rejection = await store.request(request, now)
  if (rejection === 'installed') throw fault('SPEECH_MODEL_INSTALLED')
  if (rejection === 'installing') throw fault('SPEECH_MODEL_INSTALLING')
}

/**
 * Fetches a manifest. Files without an address are beside it.
 * @throws Fault `SPEECH_MODEL_UNREACHABLE`, `SPEECH_MODEL_INVALID`
 */
export async function fetchManifest(
  downloader: Pick<ModelDownloader, 'fetchJson'>,
  url: string,
): Promise<ModelManifest> {
  const value = await downloader
    .fetchJson(url, AbortSignal.timeout(MANIFEST_TIMEOUT_MS))
    .catch((error: unknown) => {
      if (!(error instanceof InstallError)) throw error
      throw fault('SPEECH_MODEL_UNREACHABLE', { message: error.message })
    })
  const reading = readManifest(value)
  if (!reading.ok) throw fault('SPEECH_MODEL_INVALID', { message: `${reading.problems.join('; ')}` })
  const { manifest } = reading
  return {
    ...manifest,
    files: manifest.files.map((file) => ({ ...file, url: file.url ?? new URL(file.name, url).href })),
  }
}
