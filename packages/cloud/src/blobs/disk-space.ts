import { statfs } from 'node:fs/promises'

/** Time for which a measurement is used. */
const CACHE_MS = 1_000

/** Less space is free on the disk than the operator wants to keep. */
export class DiskFullError extends Error {
  constructor() {
    super('The disk is full up to the reserve (DISK_RESERVE_MB)')
    this.name = 'DiskFullError'
  }
}

/** Errors of a disk without space, or of an account without quota on it; the last one is that of PostgreSQL. */
const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', '53100'])

const SQLITE_FULL = 13

/** Returns whether an operation failed because the disk is full: that of this machine, or of the database. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof DiskFullError) return true
  const { code, errcode } = (error ?? {}) as { readonly code?: unknown; readonly errcode?: unknown }
  return FULL.has(code) || errcode === SQLITE_FULL
}

/** The space on the disk of a folder, of which a reserve is kept free for the database and the rest of the machine. */
export class DiskSpace {
  readonly #folder: string
  readonly #reserveBytes: number
  #measured: Promise<number> | undefined
  #measuredAt = Number.NEGATIVE_INFINITY
  #last = Number.NaN

  /** @param folder an existing folder */
  constructor(folder: string, reserveBytes: number) {
    this.#folder = folder
    this.#reserveBytes = reserveBytes
  }

  /** Free bytes beyond the reserve as of the last measurement, negative below it; NaN before the first. */
  get last(): number {
    return this.#last
  }

  /** Returns the free bytes beyond the reserve, negative below it, measured within the last second. */
  available(): Promise<number> {
    const now = performance.now()
    if (this.#measured === undefined || now - this.#measuredAt > CACHE_MS) {
      this.#measuredAt = now
      this.#measured = this.#measure()
    }
    return this.#measured
  }

  /** @throws DiskFullError if less than the reserve is free */
  async check(): Promise<void> {
    if ((await this.available()) < 0) throw new DiskFullError()
  }

  async #measure(): Promise<number> {
    // A file system that does not report its space is not limited.
    const found = await statfs(this.#folder).catch(() => undefined)
    this.#last = found ? found.bavail * found.bsize - this.#reserveBytes : Number.POSITIVE_INFINITY
    return this.#last
  }
}
