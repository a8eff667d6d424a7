import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { BlobStore, DiskSpace } from '../../blobs/index.ts'
import { InstallError, SpeechModelMissingError } from './install-error.ts'
import { type InstalledFile, MANIFEST_FILE, sizeOf } from './speech-model.ts'
import type { InstalledModel } from './speech-model-store.ts'

/** Age from which a folder of a process that seems to be alive is deleted nevertheless: process ids are used again. */
const ABANDONED_AFTER_MS = 24 * 60 * 60_000

export interface ModelFoldersDeps {
  /** Folder on the disk of this node; created on demand. */
  readonly root: string
  readonly blobs: Pick<BlobStore, 'get'>
  /** The space on that disk. */
  readonly space: Pick<DiskSpace, 'available'>
}

/** Returns the key of a file of a model in the file store. @param index of the file in the manifest */
export function blobKey(id: string, installId: string, index: number): string {
  return `${blobFolder(id, installId)}${index}`
}

/** The beginning of the keys of the files of all models. */
export const BLOB_FOLDER = 'speech-models/'

/** Returns the beginning of the keys of the files of an installation. */
export function blobFolder(id: string, installId: string): string {
  return `${BLOB_FOLDER}${id}/${installId}/`
}

/**
 * The folders of speech models on the disk of this node: copies of installed models (`models`), downloads, and what is
 * being copied (`copies`). A copy is complete once it is in `models`.
 */
export class ModelFolders {
  readonly #deps: ModelFoldersDeps
  readonly #copying = new Map<string, Promise<string>>()
  readonly #temporary = new Set<string>()

  constructor(deps: ModelFoldersDeps) {
    this.#deps = deps
  }

  /** Returns the folder of partial files of an installation; created if missing. */
  async downloads(installId: string): Promise<string> {
    const folder = join(this.#deps.root, 'downloads', installId)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return folder
  }

  async removeDownloads(installId: string): Promise<void> {
    await rm(join(this.#deps.root, 'downloads', installId), { recursive: true, force: true })
  }

  /** Creates an empty folder that `removeTemporary` deletes, at the latest when this process has ended. */
  async temporary(): Promise<string> {
    const folder = join(this.#deps.root, 'copies', `${process.pid}-${randomUUID()}`)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    this.#temporary.add(folder)
    return folder
  }

  async removeTemporary(folders: Iterable<string> = [...this.#temporary]): Promise<void> {
    for (const folder of folders) {
      await rm(folder, { recursive: true, force: true })
      this.#temporary.delete(folder)
    }
  }

  /**
   * Returns the folder of a model with all of its files, which are copied from the file store if they are not there yet, and
   * compared with their hashes. Simultaneous calls share one copy.
   * @throws SpeechModelMissingError
   */
  ensure(installed: InstalledModel): Promise<string> {
    const { installId } = installed
    const copying = this.#copying.get(installId) ?? this.#ensure(installed)
    this.#copying.set(installId, copying)
    const done = () => {
      if (this.#copying.get(installId) === copying) this.#copying.delete(installId)
    }
    copying.then(done, done)
    return copying
  }

  async remove({ model, installId }: InstalledModel): Promise<void> {
    await this.#copying.get(installId)?.catch(() => {})
    await rm(this.#pathOf(model.id, installId), { recursive: true, force: true })
  }

  /** Deletes copies of models that are not installed, downloads of installations that have ended, and unfinished copies. */
  async removeLeftOvers(
    installed: readonly InstalledModel[],
    installIds: ReadonlySet<string>,
  ): Promise<void> {
    const kept = new Set(installed.map(({ model, installId }) => nameOf(model.id, installId)))
    await this.#removeFrom('models', async (name) => !kept.has(name))
    await this.#removeFrom('downloads', async (name) => !installIds.has(name))
    await this.#removeFrom('copies', async (name, path) => {
      const pid = Number(/^(\d+)-/.exec(name)?.[1])
      const isOwn = pid === process.pid
      const found = await stat(path).catch(() => undefined)
      const isOld = found !== undefined && found.mtimeMs < Date.now() - ABANDONED_AFTER_MS
      return isOld || (!isOwn && !isAlive(pid))
    })
  }

  async #removeFrom(folder: string, isLeftOver: (name: string, path: string) => Promise<boolean>) {
    const parent = join(this.#deps.root, folder)
    for (const name of await readdir(parent).catch(() => [])) {
      const path = join(parent, name)
      if (await isLeftOver(name, path)) await rm(path, { recursive: true, force: true })
    }
  }

  async #ensure(installed: InstalledModel): Promise<string> {
    const { model, installId } = installed
    const target = this.#pathOf(model.id, installId)
    if (await isComplete(target, model.files)) return target
    const bytes = sizeOf(model) ?? 0
    if ((await this.#deps.space.available()) < bytes)
      throw new InstallError(
        `The disk of this node is too full for the ${bytes} bytes of the speech model ${model.id}`,
      )
    const copy = await this.temporary()
    try {
      for (const [index, file] of model.files.entries()) await this.#copy(installed, index, file, copy)
      await writeFile(join(copy, MANIFEST_FILE), `${JSON.stringify(model, null, 2)}\n`, { flush: true })
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      // An incomplete folder can only be there if files were deleted from it.
      await rename(copy, target).catch(async (error: NodeJS.ErrnoException) => {
        if (await isComplete(target, model.files)) return
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
        await rm(target, { recursive: true, force: true })
        await rename(copy, target)
      })
      return target
    } finally {
      await this.removeTemporary([copy])
    }
  }

  async #copy({ model, installId }: InstalledModel, index: number, file: InstalledFile, folder: string) {
    const blob = await this.#deps.blobs.get(blobKey(model.id, installId, index))
    if (blob === undefined)
      throw new SpeechModelMissingError(
        model.id,
        `has lost its file ${file.name} in the file store; remove it and install it again`,
      )
    const path = join(folder, file.name)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const hash = createHash('sha256')
    await pipeline(
      blob.stream,
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          hash.update(chunk)
          yield chunk
        }
      },
      createWriteStream(path, { mode: 0o600, flush: true }),
    )
    if (hash.digest('hex') !== file.sha256)
      throw new SpeechModelMissingError(
        model.id,
        `has a damaged file ${file.name} in the file store; remove it and install it again`,
      )
  }

  #pathOf(id: string, installId: string): string {
    return join(this.#deps.root, 'models', nameOf(id, installId))
  }
}

const nameOf = (id: string, installId: string) => `${id}.${installId}`

/** Returns whether a folder has all files of a model. Their contents were compared when they were copied. */
async function isComplete(folder: string, files: readonly InstalledFile[]): Promise<boolean> {
  const sizes = await Promise.all(
    files.map(async ({ name }) => (await stat(join(folder, name)).catch(() => undefined))?.size),
  )
  const hasManifest = (await stat(join(folder, MANIFEST_FILE)).catch(() => undefined)) !== undefined
  return hasManifest && files.every(({ bytes }, index) => sizes[index] === bytes)
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another account.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
