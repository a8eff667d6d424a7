import type { Logger } from 'pino'
import { Slots } from '../../slots.ts'
import {
  type Blob,
  type BlobEntry,
  type BlobInfo,
  BlobRangeError,
  type ByteRange,
  type ClosableBlobStore,
  checkBlobKey,
  isBlobKey,
  type PutOptions,
  untilAborted,
} from '../blob-store.ts'
import { streamObject } from './object-stream.ts'
import { S3Client, type S3Options, type S3Overrides, type S3Response } from './s3-client.ts'
import { ignoreMissing, S3Error } from './s3-error.ts'
import { abortUpload, MultipartUpload, splitIntoParts, type UploadPart } from './uploads.ts'

/** Size of the parts of an upload; smaller blobs are uploaded with one request. */
const PART_BYTES = 8 * 1024 * 1024

/** Uploads that may be in progress, each with at most one part in memory. */
const MAX_UPLOADS = 32

/** Age from which an incomplete upload is deleted: its process has died. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000

/** Prefixes with other characters match no key. */
const PREFIX_PATTERN = /^[A-Za-z0-9._/-]*$/

/**
 * Opens a bucket as a blob store: each blob is an object. Deletes incomplete uploads of processes that died. An S3
 * service that is away does not fail the start: blobs are unavailable until it is back.
 * @throws S3Error if S3 rejects the settings
 */
export async function openS3BlobStore(
  options: S3Options,
  log: Logger,
  overrides: S3Overrides = {},
): Promise<ClosableBlobStore> {
  const client = new S3Client(options, overrides)
  const store = new S3BlobStore(client, log)
  try {
    await store.check()
  } catch (error) {
    if (!(error instanceof S3Error) || !error.isTransient) {
      await client.close()
      throw error
    }
    log.warn({ err: error }, 'blobs are unavailable until S3 responds')
    return store
  }
  const removed = store.removeAbandoned((overrides.now ?? Date.now)() - ABANDONED_AFTER_MS)
  await removed.catch((err: unknown) => log.warn({ err }, 'abandoned uploads could not be deleted'))
  return store
}

class S3BlobStore implements ClosableBlobStore {
  readonly #client: S3Client
  readonly #log: Logger
  readonly #uploads = new Slots(MAX_UPLOADS)

  constructor(client: S3Client, log: Logger) {
    this.#client = client
    this.#log = log
  }

  /** The space of a bucket is not limited. */
  async checkSpace(): Promise<void> {}

  async put(key: string, source: AsyncIterable<Uint8Array>, options: PutOptions = {}): Promise<BlobInfo> {
    checkBlobKey(key)
    const release = await this.#uploads.acquire(options.signal)
    try {
      return await this.#upload(key, source, options)
    } finally {
      release()
    }
  }

  async #upload(key: string, source: AsyncIterable<Uint8Array>, options: PutOptions): Promise<BlobInfo> {
    const { maxBytes, signal } = options
    let upload: MultipartUpload | undefined
    let size = 0
    try {
      for await (const part of splitIntoParts(untilAborted(source, signal), PART_BYTES, maxBytes)) {
        size += part.content.byteLength
        if (part.isLast && upload === undefined) return { size, etag: await this.#putObject(key, part) }
        upload ??= await MultipartUpload.start(this.#client, key, signal)
        await upload.add(part, signal)
      }
      if (upload === undefined) throw new Error('an upload has at least one part')
      return { size, etag: unquote(await upload.complete()) }
    } catch (error) {
      const aborted = upload?.abort()
      const cleanup = aborted?.catch((err: unknown) => this.#log.warn({ err }, 'parts of an upload remain'))
      if (!signal?.aborted) await cleanup
      throw error
    }
  }

  /** Not abortable, so that the caller knows whether the blob exists. @returns the etag */
  async #putObject(key: string, { content, sha256 }: UploadPart): Promise<string> {
    return etagOf(await this.#client.sendForHeaders({ method: 'PUT', key, body: content, sha256 }))
  }

  async get(key: string, { range }: { range?: ByteRange | undefined } = {}): Promise<Blob | undefined> {
    checkBlobKey(key)
    if (range && !(range.start >= 0 && range.start <= (range.end ?? range.start)))
      return await this.#rejectRange(key)
    const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end ?? ''}` } : {}
    const sent = ignoreMissing(this.#client.send({ method: 'GET', key, headers }))
    const response = await sent.catch((error: unknown) => {
      if (error instanceof S3Error && error.status === 416) return this.#rejectRange(key)
      throw error
    })
    if (response === undefined) return undefined
    const { size, start, end } = extentOf(response)
    const part = { key, etag: String(response.headers.etag), start, end }
    return { size, etag: etagOf(response.headers), stream: streamObject(this.#client, part, response) }
  }

  async delete(key: string): Promise<boolean> {
    checkBlobKey(key)
    // S3 does not report whether the deleted object existed.
    if ((await this.#sizeOf(key)) === undefined) return false
    await ignoreMissing(this.#client.sendForHeaders({ method: 'DELETE', key }))
    return true
  }

  async *list(prefix: string): AsyncIterable<BlobEntry> {
    if (!PREFIX_PATTERN.test(prefix)) return
    let token = ''
    do {
      const query = { 'list-type': '2', prefix, ...(token === '' ? {} : { 'continuation-token': token }) }
      const page = await this.#client.sendForXml({ method: 'GET', query })
      for (const entry of page.all('Contents')) {
        const key = entry.text('Key')
        if (isBlobKey(key)) yield { key, size: Number(entry.text('Size')) }
      }
      token = page.text('NextContinuationToken')
    } while (token !== '')
  }

  /** Reads from the bucket. @throws S3Error if it is not accessible */
  async check(): Promise<void> {
    await this.#client.sendForXml({ method: 'GET', query: { 'list-type': '2', 'max-keys': '1' } })
  }

  /** Deletes uploads that were started before a time in epoch ms: up to 1,000, as each start deletes more. */
  async removeAbandoned(before: number): Promise<void> {
    const page = await this.#client.sendForXml({ method: 'GET', query: { uploads: '' } })
    for (const upload of page.all('Upload')) {
      if (Date.parse(upload.text('Initiated')) < before)
        await abortUpload(this.#client, upload.text('Key'), upload.text('UploadId'))
    }
  }

  async close(): Promise<void> {
    await this.#client.close()
  }

  /** @throws BlobRangeError if the blob exists */
  async #rejectRange(key: string): Promise<undefined> {
    const size = await this.#sizeOf(key)
    if (size !== undefined) throw new BlobRangeError(size)
  }

  async #sizeOf(key: string): Promise<number | undefined> {
    const headers = await ignoreMissing(this.#client.sendForHeaders({ method: 'HEAD', key }))
    return headers && Number(headers['content-length'])
  }
}

/** Returns which bytes a response delivers, both ends inclusive, and the size of the whole object. */
function extentOf({ statusCode, headers }: S3Response): { start: number; end: number; size: number } {
  const size = Number(headers['content-length'])
  if (statusCode !== 206) return { start: 0, end: size - 1, size }
  const [start, end, whole] = String(headers['content-range']).match(/\d+/g) ?? []
  return { start: Number(start), end: Number(end), size: Number(whole) }
}

function etagOf(headers: S3Response['headers']): string {
  return unquote(String(headers.etag))
}

function unquote(etag: string): string {
  return etag.replaceAll('"', '')
}
