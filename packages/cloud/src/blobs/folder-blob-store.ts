import { randomUUID } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { type FileHandle, mkdir, open, opendir, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import {
  type Blob,
  type BlobEntry,
  type BlobInfo,
  BlobRangeError,
  type BlobStore,
  BlobTooLargeError,
  type ByteRange,
  checkBlobKey,
  isBlobKey,
  type PutOptions,
} from './blob-store.ts'
import { untilAborted } from './until-aborted.ts'

/** Uploads under way. No key starts with a dot, so that none of them can be taken for a blob. */
const UPLOADS = '.uploads'

/** An upload this old was left behind by a process that died, in ms. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000

/**
 * Opens a folder of blobs: one file a blob, private to its owner, its path the key. Removes what uploads of a
 * process that died left behind.
 * @param folder made if absent
 */
export async function openFolderBlobStore(folder: string): Promise<BlobStore> {
  const uploads = join(folder, UPLOADS)
  await mkdir(uploads, { recursive: true, mode: 0o700 })
  await removeAbandoned(uploads)
  return new FolderBlobStore(folder, uploads)
}

class FolderBlobStore implements BlobStore {
  readonly #folder: string
  readonly #uploads: string

  constructor(folder: string, uploads: string) {
    this.#folder = folder
    this.#uploads = uploads
  }

  async put(key: string, source: AsyncIterable<Uint8Array>, options: PutOptions = {}): Promise<BlobInfo> {
    const target = this.#path(key)
    const upload = join(this.#uploads, randomUUID())
    const file = await open(upload, 'wx', 0o600)
    try {
      await write(source, file, options)
      const info = infoOf(await stat(upload, { bigint: true }))
      const made = await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      await rename(upload, target)
      await syncFolders(dirname(target), dirname(made ?? target))
      return info
    } catch (error) {
      await file.close()
      await rm(upload, { force: true })
      throw error
    }
  }

  async get(key: string, { range }: { range?: ByteRange | undefined } = {}): Promise<Blob | undefined> {
    const file = await unlessMissing(open(this.#path(key), 'r'))
    if (!file) return undefined
    try {
      // Of the open file, not of its name: it may be replaced meanwhile.
      const stats = await file.stat({ bigint: true })
      if (!stats.isFile()) {
        await file.close()
        return undefined
      }
      const info = infoOf(stats)
      return { ...info, stream: file.createReadStream(bounds(range, info.size)) }
    } catch (error) {
      await file.close()
      throw error
    }
  }

  async delete(key: string): Promise<boolean> {
    const path = this.#path(key)
    const stats = await unlessMissing(stat(path))
    if (!stats?.isFile()) return false
    await unlessMissing(unlink(path))
    await syncFolder(dirname(path))
    return true
  }

  async *list(prefix: string): AsyncIterable<BlobEntry> {
    // Where all such keys are. A prefix that leads anywhere else (`../`) begins no key.
    const parent = prefix.slice(0, Math.max(prefix.lastIndexOf('/'), 0))
    if (parent === '' || isBlobKey(parent)) yield* this.#walk(parent, prefix)
  }

  async *#walk(parent: string, prefix: string): AsyncIterable<BlobEntry> {
    const folder = await unlessMissing(opendir(join(this.#folder, parent)))
    if (!folder) return
    for await (const entry of folder) {
      const key = parent === '' ? entry.name : `${parent}/${entry.name}`
      // Anything else in the folder is not ours to show: uploads, what an operator put there.
      if (!isBlobKey(key) || !key.startsWith(prefix.slice(0, key.length))) continue
      if (entry.isDirectory()) yield* this.#walk(key, prefix)
      else if (key.startsWith(prefix)) yield* this.#entry(key)
    }
  }

  async *#entry(key: string): AsyncIterable<BlobEntry> {
    const stats = await unlessMissing(stat(this.#path(key)))
    if (stats?.isFile()) yield { key, size: stats.size }
  }

  #path(key: string): string {
    checkBlobKey(key)
    return join(this.#folder, key)
  }
}

/** Leaves the file closed, its content on the disk. */
async function write(
  source: AsyncIterable<Uint8Array>,
  file: FileHandle,
  options: PutOptions,
): Promise<void> {
  const { maxBytes = Number.POSITIVE_INFINITY } = options
  // `flush` waits for the disk before the end, so that the name never points to bytes yet to come.
  const target = file.createWriteStream({ flush: true })
  const bounded = async function* (chunks: AsyncIterable<Uint8Array>) {
    let size = 0
    for await (const chunk of chunks) {
      size += chunk.byteLength
      if (size > maxBytes) throw new BlobTooLargeError(maxBytes)
      yield chunk
    }
  }
  await pipeline(untilAborted(source, options.signal), bounded, target)
}

/** A replaced blob is another file, written later. */
function infoOf(stats: BigIntStats): BlobInfo {
  const etag = [stats.ino, stats.mtimeNs, stats.size].map((part) => part.toString(36)).join('-')
  return { size: Number(stats.size), etag }
}

function bounds(range: ByteRange | undefined, size: number): { start?: number; end?: number } {
  if (!range) return {}
  const { start, end = size - 1 } = range
  if (!(start >= 0 && start < size && start <= end)) throw new BlobRangeError(size)
  return { start, end: Math.min(end, size - 1) }
}

/** A name is durable once the folder that holds it is; new folders have to be durable in theirs. */
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
    const stats = await unlessMissing(stat(upload))
    if (stats && stats.mtimeMs < oldest) await rm(upload, { force: true })
  }
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (MISSING.has((error as NodeJS.ErrnoException).code)) return undefined
    throw error
  }
}

/** No such name; or a part of the path is a blob, not a folder. */
const MISSING = new Set<unknown>(['ENOENT', 'ENOTDIR'])
