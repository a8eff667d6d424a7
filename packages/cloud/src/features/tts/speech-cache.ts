import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { ByteRange } from '../../blobs/index.ts'

/** Cached speech. */
export interface CachedSpeech {
  readonly bytes: number
  /** Opens it, or a range of it. */
  open(range?: ByteRange): Promise<Readable>
}

const FILE_SUFFIX = '.mp3'
const TEMPORARY_SUFFIX = '.part'

/**
 * Caches speech in a folder of limited size, one file per text; the least recently used is evicted first. Files are
 * written atomically, and their modification times preserve the order of use across restarts. Disk errors only cause
 * cache misses.
 */
export class SpeechCache {
  readonly #folder: string
  readonly #maxBytes: number
  readonly #log: Logger
  /** Sizes by key, the least recently used first. */
  readonly #sizes = new Map<string, number>()
  #bytes = 0

  private constructor(folder: string, maxBytes: number, log: Logger) {
    this.#folder = folder
    this.#maxBytes = maxBytes
    this.#log = log
  }

  /**
   * Opens the folder, creating it if necessary. Removes files beyond the limit and temporary files of crashed
   * processes.
   * @param maxBytes 0 disables the cache
   */
  static async open(folder: string, maxBytes: number, log: Logger): Promise<SpeechCache> {
    const cache = new SpeechCache(folder, maxBytes, log)
    await cache.#logErrors(() => cache.#load())
    return cache
  }

  /** @param key letters and digits */
  async read(key: string): Promise<CachedSpeech | undefined> {
    if (!this.#sizes.has(key)) return undefined
    return this.#logErrors(async () => {
      const path = this.#path(key)
      const file = await stat(path).catch((error: NodeJS.ErrnoException) => {
        this.#remove(key)
        if (error.code !== 'ENOENT') throw error
      })
      if (!file) return undefined
      this.#add(key, file.size)
      const now = new Date()
      await utimes(path, now, now).catch(() => {})
      return {
        bytes: file.size,
        open: async (range) => (await open(path, 'r')).createReadStream(range),
      }
    })
  }

  /** Stores complete speech. */
  async put(key: string, chunks: readonly Uint8Array[]): Promise<void> {
    const bytes = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0)
    if (bytes > this.#maxBytes) return
    await this.#logErrors(async () => {
      const temporaryPath = join(this.#folder, randomUUID() + TEMPORARY_SUFFIX)
      try {
        const file = await open(temporaryPath, 'wx', 0o600)
        try {
          const { bytesWritten } = await file.writev([...chunks])
          // Not an error for the operating system while some bytes have space.
          if (bytesWritten < bytes)
            throw new Error(`The disk has space for ${bytesWritten} of ${bytes} bytes`)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(temporaryPath, this.#path(key))
      } catch (error) {
        await rm(temporaryPath, { force: true })
        throw error
      }
      this.#add(key, bytes)
      await this.#evict()
    })
  }

  async #load(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const names = await readdir(this.#folder)
    const temporaryFiles = names.filter((name) => name.endsWith(TEMPORARY_SUFFIX))
    await Promise.all(temporaryFiles.map((name) => rm(join(this.#folder, name), { force: true })))
    const files = await Promise.all(
      names
        .filter((name) => name.endsWith(FILE_SUFFIX))
        .map(async (name) => ({ name, ...(await stat(join(this.#folder, name))) })),
    )
    files.sort((a, b) => a.mtimeMs - b.mtimeMs)
    for (const { name, size } of files) this.#add(name.slice(0, -FILE_SUFFIX.length), size)
    await this.#evict()
  }

  async #evict(): Promise<void> {
    for (const key of this.#sizes.keys()) {
      if (this.#bytes <= this.#maxBytes) return
      this.#remove(key)
      await rm(this.#path(key), { force: true })
    }
  }

  /** Marks an entry as most recently used. */
  #add(key: string, bytes: number): void {
    this.#remove(key)
    this.#sizes.set(key, bytes)
    this.#bytes += bytes
  }

  #remove(key: string): void {
    this.#bytes -= this.#sizes.get(key) ?? 0
    this.#sizes.delete(key)
  }

  #path(key: string): string {
    return join(this.#folder, key + FILE_SUFFIX)
  }

  async #logErrors<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await work()
    } catch (error) {
      this.#log.warn({ err: error }, 'the speech cache cannot use its folder')
      return undefined
    }
  }
}
