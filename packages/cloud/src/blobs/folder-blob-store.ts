import { randomUUID } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { type FileHandle, mkdir, open, opendir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import {
  type Blob,
  type BlobEntry,
  type BlobInfo,
  BlobRangeError,
  BlobTooLargeError,
  type ByteRange,
  type ClosableBlobStore,
  checkBlobKey,
  isBlobKey,
  type PutOptions,
  untilAborted,
} from './blob-store.ts'
import type { DiskSpace } from './disk-space.ts'

/** Folder of incomplete uploads. No key starts with a dot, so none of them can be mistaken for a blob. */
const UPLOADS_FOLDER = '.uploads'

/** Age from which an incomplete upload is deleted: its process has died. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000

/** Received bytes after which the space on the disk is checked again. */
const CHECK_SPACE_EVERY_BYTES = 1024 * 1024

/** Attempts to move an upload into a folder that deletions keep removing. */
const MAX_MOVE_ATTEMPTS = 10

/**
 * Opens a folder as a blob store: each blob is a file with mode 0600 whose path is the key. Deletes incomplete uploads
 * of processes that died.
 * @param folder created if missing
 * @param space the space on the disk of the folder; undefined: not limited
 */
export async function openFolderBlobStore(folder: string, space?: DiskSpace): Promise<ClosableBlobStore> {
  const uploads = join(folder, UPLOADS_FOLDER)
  await mkdir(uploads, { recursive: true, mode: 0o700 })
  await removeAbandoned(uploads)
  return new FolderBlobStore(folder, uploads, space)
}

class FolderBlobStore implements ClosableBlobStore {
  readonly #folder: string
  readonly #uploads: string
  readonly #space: DiskSpace | undefined

  constructor(folder: string, uploads: string, space: DiskSpace | undefined) {
    this.#folder = folder
    this.#uploads = uploads
    this.#space = space
  }

  async checkSpace(): Promise<void> {
    await this.#space?.check()
  }

  async put(key: string, source: AsyncIterable<Uint8Array>, options: PutOptions = {}): Promise<BlobInfo> {
    const target = this.#path(key)
    await this.checkSpace()
    const upload = join(this.#uploads, randomUUID())
    const file = await open(upload, 'wx', 0o600)
    try {
      await write(source, file, options, () => this.checkSpace())
      const info = infoOf(await stat(upload, { bigint: true }))
      await moveInto(upload, target)
      return info
    } catch (error) {
      await file.close()
      await rm(upload, { force: true })
      throw error
    }
  }

  async get(key: string, { range }: { range?: ByteRange | undefined } = {}): Promise<Blob | undefined> {
    const file = await ignoreMissing(open(this.#path(key), 'r'))
    if (!file) return undefined
    try {
      // Stat the open file rather than its path, which may be replaced at any time.
      const stats = await file.stat({ bigint: true })
      if (!stats.isFile()) {
        await file.close()
        return undefined
      }
      const info = infoOf(stats)
      return { ...info, stream: file.createReadStream(readBounds(range, info.size)) }
    } catch (error) {
      await file.close()
      throw error
    }
  }

  async delete(key: string): Promise<boolean> {
    const path = this.#path(key)
    const stats = await ignoreMissing(stat(path))
    if (!stats?.isFile()) return false
    await ignoreMissing(unlink(path))
    await this.#removeEmptyFolders(dirname(path))
    return true
  }

  async *list(prefix: string): AsyncIterable<BlobEntry> {
    // The folder that contains all matches. A prefix with `..` matches no key.
    const parent = prefix.slice(0, Math.max(prefix.lastIndexOf('/'), 0))
    if (parent === '' || isBlobKey(parent)) yield* this.#walk(parent, prefix)
  }

  async close(): Promise<void> {}

  async *#walk(parent: string, prefix: string): AsyncIterable<BlobEntry> {
    const folder = await ignoreMissing(opendir(join(this.#folder, parent)))
    if (!folder) return
    for await (const entry of folder) {
      const key = parent === '' ? entry.name : `${parent}/${entry.name}`
      // Skip incomplete uploads and files that are not blobs.
      if (!isBlobKey(key) || !key.startsWith(prefix.slice(0, key.length))) continue
      if (entry.isDirectory()) yield* this.#walk(key, prefix)
      else if (key.startsWith(prefix)) yield* this.#entry(key)
    }
  }

  async *#entry(key: string): AsyncIterable<BlobEntry> {
    const stats = await ignoreMissing(stat(this.#path(key)))
    if (stats?.isFile()) yield { key, size: stats.size }
  }

  /** Removes a folder and its parents as far as they are empty, then syncs the first that is not. */
  async #removeEmptyFolders(folder: string): Promise<void> {
    for (let current = folder; current !== this.#folder; current = dirname(current)) {
      if (!(await removeIfEmpty(current))) return void (await ignoreMissing(syncFolder(current)))
    }
    await syncFolder(this.#folder)
  }

  #path(key: string): string {
    checkBlobKey(key)
    return join(this.#folder, key)
  }
}

/** Writes the content durably and closes the file. */
async function write(
  source: AsyncIterable<Uint8Array>,
  file: FileHandle,
  options: PutOptions,
  checkSpace: () => Promise<void>,
): Promise<void> {
  const { maxBytes = Number.POSITIVE_INFINITY } = options
  // `flush` syncs before closing, so that the final name never refers to incomplete content.
  const target = file.createWriteStream({ flush: true })
  const bounded = async function* (chunks: AsyncIterable<Uint8Array>) {
    let size = 0
    let checkedAt = 0
    for await (const chunk of chunks) {
      size += chunk.byteLength
      if (size > maxBytes) throw new BlobTooLargeError(maxBytes)
      if (size - checkedAt >= CHECK_SPACE_EVERY_BYTES) {
        checkedAt = size
        await checkSpace()
      }
      yield chunk
    }
  }
  await pipeline(untilAborted(source, options.signal), bounded, target)
}

/** Derives the etag from inode and time: a replaced blob is a new file. */
function infoOf(stats: BigIntStats): BlobInfo {
  const etag = [stats.ino, stats.mtimeNs, stats.size].map((part) => part.toString(36)).join('-')
  return { size: Number(stats.size), etag }
}

function readBounds(range: ByteRange | undefined, size: number): { start?: number; end?: number } {
  if (!range) return {}
  const { start, end = size - 1 } = range
  if (!(start >= 0 && start < size && start <= end)) throw new BlobRangeError(size)
  return { start, end: Math.min(end, size - 1) }
}

/** Moves a complete upload to its place; repeats if a deletion removes the folder, still empty, in between. */
async function moveInto(upload: string, target: string): Promise<void> {
  const folder = dirname(target)
  for (let attempt = 1; ; attempt++) {
    try {
      const made = await mkdir(folder, { recursive: true, mode: 0o700 })
      await rename(upload, target)
      return await syncFolders(folder, dirname(made ?? target))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === MAX_MOVE_ATTEMPTS) throw error
    }
  }
}

/** @returns false if the folder is not empty */
async function removeIfEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return true
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false
    throw error
  }
}

/** Syncs the folder of a new file, and the parents of all folders that were created for it. */
async function syncFolders(from: string, upTo: string): Promise<void> {
  for (let folder = from; ; folder = dirname(folder)) {
    await syncFolder(folder)
    if (folder === upTo) return
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function removeAbandoned(uploads: string): Promise<void> {
  const oldest = Date.now() - ABANDONED_AFTER_MS
  for await (const { name } of await opendir(uploads)) {
    const upload = join(uploads, name)
    const stats = await ignoreMissing(stat(upload))
    if (stats && stats.mtimeMs < oldest) await rm(upload, { force: true })
  }
}

async function ignoreMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (MISSING.has((error as NodeJS.ErrnoException).code)) return undefined
    throw error
  }
}

/** The path does not exist, or one of its folders is a file. */
const MISSING = new Set<unknown>(['ENOENT', 'ENOTDIR'])
