import type { Readable } from 'node:stream'

/**
 * Where files are kept: photos, exports. A key is `/`-separated segments of letters, digits, `.`, `_` and `-`, at
 * most 512 characters, no segment starting with a dot, and never the folder of another key
 * (`photos` beside `photos/1`).
 */
export interface BlobStore {
  /**
   * Stores a blob, or puts it in the place of the one with this key. It is there as a whole, durably, when this
   * resolves; otherwise nothing has changed.
   * @throws BlobTooLargeError beyond `maxBytes`; the reason of `signal` when it aborts; the error of the source
   */
  put(key: string, source: AsyncIterable<Uint8Array>, options?: PutOptions): Promise<BlobInfo>
  /**
   * Opens a blob. Read its stream to the end or destroy it.
   * @param options.range the part to read; its end is cut to the blob's
   * @returns undefined when there is none
   * @throws BlobRangeError when the range begins beyond the end
   */
  get(key: string, options?: { readonly range?: ByteRange | undefined }): Promise<Blob | undefined>
  /** @returns whether there was such a blob */
  delete(key: string): Promise<boolean>
  /** Every blob whose key starts with a text (not only with whole segments), in no order. */
  list(prefix: string): AsyncIterable<BlobEntry>
}

/** Bounds of a {@link BlobStore.put}. */
export interface PutOptions {
  readonly maxBytes?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** What is known of a stored blob. */
export interface BlobInfo {
  /** Bytes of the whole blob, also when a part of it is read. */
  readonly size: number
  /** Opaque; another one after the blob was replaced. */
  readonly etag: string
}

/** A blob opened for reading. */
export interface Blob extends BlobInfo {
  readonly stream: Readable
}

/** A blob in a list. */
export interface BlobEntry {
  readonly key: string
  readonly size: number
}

/** Bytes from `start` to `end`, both included and counted from 0, as in the HTTP `Range` header. */
export interface ByteRange {
  readonly start: number
  readonly end?: number | undefined
}

/** A source gave more bytes than allowed. */
export class BlobTooLargeError extends Error {
  constructor(maxBytes: number) {
    super(`the content is larger than ${maxBytes} bytes`)
    this.name = 'BlobTooLargeError'
  }
}

/** A range begins beyond the end of the blob, or ends before it begins. */
export class BlobRangeError extends Error {
  /** Bytes of the whole blob. */
  readonly size: number

  constructor(size: number) {
    super(`the range lies outside the ${size} bytes of the blob`)
    this.name = 'BlobRangeError'
    this.size = size
  }
}

/** A key is not of the form {@link BlobStore} describes. */
export class BlobKeyError extends Error {
  constructor() {
    super('the key of a blob is malformed')
    this.name = 'BlobKeyError'
  }
}

const MAX_KEY_LENGTH = 512

/** Starts with no dot: that leaves out `.` and `..`, and names a store needs for itself. */
const segment = '[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}'
const keyForm = new RegExp(`^${segment}(/${segment})*$`)

/** Whether a text has the form of a key. */
export function isBlobKey(text: string): boolean {
  return text.length <= MAX_KEY_LENGTH && keyForm.test(text)
}

/** Refuses what is no key before it comes near a path or URL; throws {@link BlobKeyError}. */
export function checkBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new BlobKeyError()
}
