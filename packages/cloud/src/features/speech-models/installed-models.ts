import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import type { BlobStore } from '../../blobs/index.ts'
import type { ChangeFeed } from '../../db/index.ts'
import type { Clock } from '../../time/index.ts'
import { SpeechModelMissingError } from './install-error.ts'
import { blobKey, type ModelFolders } from './model-folders.ts'
import type { SpeechModel } from './speech-model.ts'
import type { InstalledModel, SpeechModelStore } from './speech-model-store.ts'

/** Pause before the list is read again after the database failed. */
const RETRY_MS = 5_000

/** The speech models of this cloud, for what uses them. */
export interface InstalledModels {
  /** The models that are installed in this cloud, on whichever node, from a cache that follows the change log. */
  list(): readonly SpeechModel[]
  /** Adds a listener, called on every node after a model was installed or removed. @returns removes it */
  onChange(listener: () => void): () => void
  /**
   * Returns the folder of a model, with all files present and verified on this node; copies them from the file store
   * first.
   * @throws SpeechModelMissingError
   */
  folderOf(id: string): Promise<string>
}

export interface InstalledModelCacheDeps {
  readonly store: Pick<SpeechModelStore, 'listInstalled'>
  readonly changes: ChangeFeed
  readonly folders: ModelFolders
  readonly clock: Clock
  readonly log: Logger
}

/** Keeps the list of installed models up to date, and deletes the copies of removed ones on this node. */
export class InstalledModelCache implements InstalledModels {
  readonly #deps: InstalledModelCacheDeps
  readonly #listeners = new Set<() => void>()
  #installed: readonly InstalledModel[] = []
  #models: readonly SpeechModel[] = []
  #reading: Promise<void> | undefined
  #isStale = false
  #isClosed = false

  private constructor(deps: InstalledModelCacheDeps) {
    this.#deps = deps
  }

  static async open(deps: InstalledModelCacheDeps): Promise<InstalledModelCache> {
    const cache = new InstalledModelCache(deps)
    deps.changes.on('speech_models', () => cache.#refresh())
    cache.#set(await deps.store.listInstalled())
    return cache
  }

  list(): readonly SpeechModel[] {
    return this.#models
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async folderOf(id: string): Promise<string> {
    // A change that this process has committed may not have been delivered yet.
    await this.#deps.changes.catchUp()
    await this.#reading
    const installed = this.#find(id)
    if (installed === undefined) throw new SpeechModelMissingError(id)
    const folder = await this.#deps.folders.ensure(installed)
    if (this.#find(id)?.installId === installed.installId) return folder
    await this.#deps.folders.remove(installed)
    throw new SpeechModelMissingError(id, 'was removed')
  }

  /** Reads no more. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#reading
  }

  #find(id: string): InstalledModel | undefined {
    return this.#installed.find(({ model }) => model.id === id)
  }

  /** Reads the list; once more if it changes meanwhile. */
  #refresh(): void {
    if (this.#isClosed) return
    this.#isStale = true
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
  }

  async #read(): Promise<void> {
    const { store, folders, clock, log } = this.#deps
    while (this.#isStale && !this.#isClosed) {
      this.#isStale = false
      try {
        const removed = this.#set(await store.listInstalled())
        for (const installed of removed) await folders.remove(installed)
      } catch (err) {
        log.error({ err }, 'speech models: the list could not be read, will be retried')
        clock.after(RETRY_MS, () => this.#refresh())
      }
    }
  }

  /** @returns the models that are no longer installed */
  #set(installed: readonly InstalledModel[]): InstalledModel[] {
    const before = this.#installed
    const has = (list: readonly InstalledModel[], { installId }: InstalledModel) =>
      list.some((each) => each.installId === installId)
    const removed = before.filter((each) => !has(installed, each))
    const isChanged = removed.length > 0 || installed.some((each) => !has(before, each))
    this.#installed = installed
    this.#models = installed.map(({ model }) => model)
    if (isChanged) for (const listener of this.#listeners) listener()
    return removed
  }
}

/** A file of an installed model whose blob is missing or damaged. */
export interface DamagedFile {
  readonly id: string
  readonly name: string
  readonly problem: 'missing' | 'damaged'
}

/** Reads every file of installed models in the file store and compares it with its hash. */
export async function* verifyModels(
  installed: readonly InstalledModel[],
  blobs: Pick<BlobStore, 'get'>,
): AsyncGenerator<{ readonly id: string; readonly damaged: readonly DamagedFile[] }> {
  for (const { model, installId } of installed) {
    const damaged: DamagedFile[] = []
    for (const [index, { name, sha256 }] of model.files.entries()) {
      const found = await hashOf(blobs, blobKey(model.id, installId, index))
      if (found !== sha256)
        damaged.push({ id: model.id, name, problem: found === undefined ? 'missing' : 'damaged' })
    }
    yield { id: model.id, damaged }
  }
}

async function hashOf(blobs: Pick<BlobStore, 'get'>, key: string): Promise<string | undefined> {
  const blob = await blobs.get(key)
  if (blob === undefined) return undefined
  const hash = createHash('sha256')
  for await (const chunk of blob.stream) hash.update(chunk)
  return hash.digest('hex')
}
