import { open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import type { Dispatcher } from 'undici'
import { type DiskSpace, isDiskFull } from '../../blobs/index.ts'
import { decodeText } from '../../config/index.ts'
import type { Clock } from '../../time/index.ts'
import { InstallError } from './install-error.ts'

const MAX_REDIRECTS = 5

/** Time without a byte after which a connection is given up. */
const STALL_TIMEOUT_MS = 30_000

/** Failures in a row, without `MIN_PROGRESS_BYTES` in between, after which a download fails. */
const MAX_FAILURES = 5
const MIN_PROGRESS_BYTES = 1024 * 1024

/** Pause after the first failure; doubled after each further one. */
const RETRY_DELAY_MS = 1_000

/** Received bytes after which the space on the disk is checked again. */
const CHECK_SPACE_EVERY_BYTES = 16 * 1024 * 1024

const MAX_MANIFEST_BYTES = 1024 * 1024

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Statuses after which the same request may succeed. */
const isTemporary = (status: number) => status === 408 || status === 429 || status >= 500

export interface ModelDownloaderDeps {
  /** Creates the HTTP agent at the first request; it decides which addresses are allowed. */
  readonly open: () => Promise<Dispatcher>
  /** The space on the disk of the downloads. */
  readonly space: Pick<DiskSpace, 'available'>
  readonly clock: Clock
  readonly stallTimeoutMs?: number
  readonly retryDelayMs?: number
}

export interface DownloadOptions {
  /** If the manifest states it. */
  readonly bytes?: number | undefined
  readonly maxBytes: number
  /** Whether the content is checked by a hash, so that it may be resumed without a validator of the publisher. */
  readonly hasHash: boolean
  readonly signal: AbortSignal
  /** Receives the bytes of the file so far. */
  onProgress(received: number): void
}

/** What a publisher states about a file. */
interface Published {
  readonly sha256?: string
}

/** The same while the headers of redirects are read. */
interface PublishedHeaders {
  sha256?: string
  bytes?: number
}

/** What is known about a partial file: where it is from, and the validator of the version that it is part of. */
interface PartialFile extends Published {
  readonly url: string
  readonly etag?: string
}

/** Downloads the files of speech models. An interrupted download is resumed where it ended, also by another process. */
export class ModelDownloader {
  readonly #deps: ModelDownloaderDeps
  #dispatcher: Promise<Dispatcher> | undefined

  constructor(deps: ModelDownloaderDeps) {
    this.#deps = deps
  }

  async close(): Promise<void> {
    await (await this.#dispatcher)?.destroy()
  }

  /**
   * Downloads a file, or the rest of one.
   * @param path of the file, which is partial until this resolves; its validator is beside it, with the suffix `.json`
   * @returns the SHA-256 that the publisher states, if any
   * @throws InstallError; DiskFullError; the reason of the signal
   */
  async download(url: string, path: string, options: DownloadOptions): Promise<Published> {
    const { clock, retryDelayMs = RETRY_DELAY_MS } = this.#deps
    for (let failures = 0; ; ) {
      const before = await sizeOf(path)
      try {
        return await this.#attempt(url, path, options)
      } catch (error) {
        options.signal.throwIfAborted()
        if (error instanceof InstallError || isDiskFull(error)) throw error
        const received = await sizeOf(path)
        failures = received - before >= MIN_PROGRESS_BYTES ? 1 : failures + 1
        if (failures >= MAX_FAILURES)
          throw new InstallError(
            `${url} cannot be downloaded (${reasonOf(error)}). ${received} bytes are kept; install the model again to continue`,
            { cause: error },
          )
        await pauseUnlessAborted(clock, retryDelayMs * 2 ** (failures - 1), options.signal)
      }
    }
  }

  /** Fetches a JSON document. @throws InstallError */
  async fetchJson(url: string, signal: AbortSignal): Promise<unknown> {
    const chunks: Uint8Array[] = []
    try {
      const { response } = await this.#request(url, {}, signal)
      const { statusCode, body } = response
      let size = 0
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        size += chunk.byteLength
        if (size > MAX_MANIFEST_BYTES)
          throw new InstallError(`${url} has more than ${MAX_MANIFEST_BYTES} bytes`)
        chunks.push(chunk)
      }
      if (statusCode !== 200) throw new InstallError(`${url} answers with the status ${statusCode}`)
    } catch (error) {
      if (error instanceof InstallError) throw error
      throw new InstallError(`${url} cannot be fetched (${reasonOf(error)})`, { cause: error })
    }
    try {
      return JSON.parse(decodeText(Buffer.concat(chunks)))
    } catch (cause) {
      throw new InstallError(`${url} is not valid JSON`, { cause })
    }
  }

  async #attempt(url: string, path: string, options: DownloadOptions): Promise<Published> {
    const { bytes, maxBytes, hasHash, signal, onProgress } = options
    const known = await readPartial(path, url)
    const start = known && (known.etag !== undefined || hasHash) ? await sizeOf(path) : 0
    if (known && start > 0 && start === bytes) return known
    const range =
      start === 0
        ? {}
        : { range: `bytes=${start}-`, ...(known?.etag !== undefined && { 'if-range': known.etag }) }
    const { response, published } = await this.#request(url, range, signal)
    const { statusCode: status, body } = response
    try {
      // The file is complete, or has another version that is shorter.
      if (status === 416) return await this.#endAfterRange(path, response, start, published)
      if (status !== 200 && status !== 206) {
        const text = `${url} answers with the status ${status}`
        throw isTemporary(status) ? new Error(text) : new InstallError(text)
      }
      const { from, total } = extentOf(response)
      if (status === 206 && from !== start) throw new Error('The answer is not the requested part')
      const written = status === 206 ? start : 0
      const expected = bytes ?? published.bytes
      if (total !== undefined && expected !== undefined && total !== expected)
        throw new InstallError(
          `${url} has ${total} bytes instead of ${expected}; another file is at the address`,
        )
      const size = total ?? expected
      if (size !== undefined && size > maxBytes)
        throw new InstallError(`${url} is larger than a model may be`)
      await this.#requireSpace((size ?? written) - written)
      const etag = headerOf(response, 'etag')
      const isStrong = etag !== undefined && !etag.startsWith('W/')
      if (status === 200) await rm(path, { force: true })
      const { sha256 } = published
      const partial: PartialFile = { url, ...(isStrong && { etag }), ...(sha256 !== undefined && { sha256 }) }
      await writeFile(`${path}.json`, JSON.stringify(partial))
      const received = await this.#append(path, body, { written, maxBytes, url, onProgress })
      if (size !== undefined && received !== size)
        throw new Error(`it ended after ${received} of ${size} bytes`)
      return published
    } finally {
      // Also of a response whose body was not read.
      body.on('error', () => {}).destroy()
    }
  }

  async #append(
    path: string,
    body: AsyncIterable<Uint8Array>,
    to: { written: number; maxBytes: number; url: string; onProgress(received: number): void },
  ): Promise<number> {
    const file = await open(path, 'a', 0o600)
    let { written } = to
    let checkedAt = written
    try {
      for await (const chunk of body) {
        await file.writeFile(chunk)
        written += chunk.byteLength
        if (written > to.maxBytes) throw new InstallError(`${to.url} is larger than a model may be`)
        to.onProgress(written)
        if (written - checkedAt < CHECK_SPACE_EVERY_BYTES) continue
        checkedAt = written
        await this.#requireSpace(0)
      }
    } finally {
      await file.close()
    }
    return written
  }

  async #endAfterRange(
    path: string,
    response: Dispatcher.ResponseData,
    start: number,
    published: Published,
  ): Promise<Published> {
    const total = Number(/\/(\d+)$/.exec(headerOf(response, 'content-range') ?? '')?.[1] ?? Number.NaN)
    if (total === start) return published
    await truncate(path, 0)
    throw new Error('the file at the address has changed')
  }

  async #requireSpace(bytes: number): Promise<void> {
    const available = await this.#deps.space.available()
    if (available >= bytes) return
    throw new InstallError(
      `The disk is too full: ${megabytes(bytes)} MB are needed, ${megabytes(Math.max(0, available))} MB are free beyond DISK_RESERVE_MB`,
    )
  }

  /** Sends a GET request and follows redirects. */
  async #request(url: string, headers: Record<string, string>, signal: AbortSignal) {
    this.#dispatcher ??= this.#deps.open()
    const dispatcher = await this.#dispatcher
    const { stallTimeoutMs = STALL_TIMEOUT_MS } = this.#deps
    const published: PublishedHeaders = {}
    let address = new URL(url)
    for (let redirects = 0; ; redirects += 1) {
      const response = await dispatcher.request({
        origin: address.origin,
        path: address.pathname + address.search,
        method: 'GET',
        headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': 'glasses-cloud' },
        headersTimeout: stallTimeoutMs,
        bodyTimeout: stallTimeoutMs,
        signal,
      })
      readPublished(response, published)
      const location = headerOf(response, 'location')
      if (!REDIRECTS.has(response.statusCode) || location === undefined) return { response, published }
      response.body.on('error', () => {}).destroy()
      if (redirects === MAX_REDIRECTS) throw new InstallError(`${url} redirects too often`)
      const next = new URL(location, address)
      if (!['https:', address.protocol].includes(next.protocol))
        throw new InstallError(`${url} redirects to an address that is not encrypted`)
      address = next
    }
  }
}

/** Reads size and hash of a file that Hugging Face states in the headers of its redirect. */
function readPublished(response: Dispatcher.ResponseData, published: PublishedHeaders): void {
  const sha256 = /^"?([0-9a-f]{64})"?$/.exec(headerOf(response, 'x-linked-etag') ?? '')?.[1]
  if (sha256 !== undefined) published.sha256 = sha256
  const bytes = headerOf(response, 'x-linked-size')
  if (bytes !== undefined && /^\d{1,15}$/.test(bytes)) published.bytes = Number(bytes)
}

/** Returns where the body of a response starts in the file, and the size of the file. */
function extentOf(response: Dispatcher.ResponseData): { from: number; total: number | undefined } {
  const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(headerOf(response, 'content-range') ?? '')
  if (response.statusCode === 206)
    return { from: Number(range?.[1]), total: range ? Number(range[2]) : undefined }
  const length = headerOf(response, 'content-length')
  return { from: 0, total: length === undefined ? undefined : Number(length) }
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

async function readPartial(path: string, url: string): Promise<PartialFile | undefined> {
  try {
    const known = JSON.parse(await readFile(`${path}.json`, 'utf8')) as PartialFile
    return known.url === url ? known : undefined
  } catch {
    return undefined
  }
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0
}

function reasonOf(error: unknown): string {
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if ('code' in at && typeof at.code === 'string') return at.code
  return error instanceof Error ? error.message : String(error)
}

const megabytes = (bytes: number) => Math.ceil(bytes / 1_000_000)

/** Resolves after a time. @throws the reason of the signal */
async function pauseUnlessAborted(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = clock.after(ms, resolve)
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    signal.throwIfAborted()
    await promise
  } finally {
    timer.cancel()
    signal.removeEventListener('abort', abort)
  }
}
