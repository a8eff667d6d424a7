import type { Readable } from 'node:stream'

/**
 * Stores files such as photos and exports. A key consists of segments separated by `/`, has at most 512 characters, and
 * must not be the folder of another key (`photos` and `photos/1`). A segment consists of letters, digits, `.`, `_` and
 * `-` and does not start with a dot.
 */
export interface BlobStore {
  /**
   * Stores or replaces a blob. The blob is complete and durable when this resolves; if it rejects, nothing has changed.
   * @throws BlobTooLargeError beyond `maxBytes`; DiskFullError; the abort reason of `signal`; the error of the source
   */
  put(key: string, source: AsyncIterable<Uint8Array>, options?: PutOptions): Promise<BlobInfo>
  /**
   * Opens a blob for reading. Consume or destroy its stream.
   * @param options.range the part to read; an end beyond the blob is reduced to its size
   * @returns undefined if the blob does not exist
   * @throws BlobRangeError if the range starts beyond the end
   */
  get(key: string, options?: { readonly range?: ByteRange | undefined }): Promise<Blob | undefined>
  /** Checks before a blob is received that there is space for it. @throws DiskFullError, on a disk of this machine */
  checkSpace(): Promise<void>
  /** @returns whether the blob existed */
  delete(key: string): Promise<boolean>
  /** Lists the blobs whose key starts with the prefix, in any order. The prefix need not end with a segment. */
  list(prefix: string): AsyncIterable<BlobEntry>
}

/** A blob store that holds connections. */
export interface ClosableBlobStore extends BlobStore {
  /** Closes the connections; operations under way fail. */
  close(): Promise<void>
}

export interface PutOptions {
  readonly maxBytes?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Size and version of a blob. */
export interface BlobInfo {
  /** Bytes of the whole blob, even if a range is read. */
  readonly size: number
  /** Opaque; changes when the blob is replaced. */
  readonly etag: string
}

/** A blob opened for reading. */
export interface Blob extends BlobInfo {
  readonly stream: Readable
}

export interface BlobEntry {
  readonly key: string
  readonly size: number
}

/** The bytes from `start` to `end`, both inclusive and starting at 0, as in the HTTP `Range` header. */
export interface ByteRange {
  readonly start: number
  readonly end?: number | undefined
}

/** The content exceeds `maxBytes`. */
export class BlobTooLargeError extends Error {
  constructor(maxBytes: number) {
    super(`The content exceeds ${maxBytes} bytes`)
    this.name = 'BlobTooLargeError'
  }
}

/** The range starts beyond the end of the blob, or ends before it starts. */
export class BlobRangeError extends Error {
  /** Bytes of the whole blob. */
  readonly size: number

  constructor(size: number) {
    super(`The range is outside the ${size} bytes of the blob`)
    this.name = 'BlobRangeError'
    this.size = size
  }
}

/** The key is malformed; see {@link BlobStore}. */
export class BlobKeyError extends Error {
  constructor() {
    super('The blob key is malformed')
    this.name = 'BlobKeyError'
  }
}

const MAX_KEY_LENGTH = 512

/** Does not start with a dot, which excludes `.`, `..` and the internal names of stores. */
const SEGMENT = '[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}'
const KEY_PATTERN = new RegExp(`^${SEGMENT}(/${SEGMENT})*$`)

/** Returns whether a string is a valid key. */
export function isBlobKey(text: string): boolean {
  return text.length <= MAX_KEY_LENGTH && KEY_PATTERN.test(text)
}

/** Validates a key before it becomes part of a path or URL. @throws BlobKeyError */
export function checkBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new BlobKeyError()
}

/** Returns bytes as the content of a blob. */
export async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Returns the part of a blob store whose keys start with a prefix, without that prefix. @param prefix empty, or ends with `/` */
export function withPrefix(blobs: ClosableBlobStore, prefix: string): ClosableBlobStore {
  return {
    put: (key, source, options) => blobs.put(prefix + key, source, options),
    get: (key, options) => blobs.get(prefix + key, options),
    checkSpace: () => blobs.checkSpace(),
    delete: (key) => blobs.delete(prefix + key),
    async *list(start) {
      for await (const { key, size } of blobs.list(prefix + start))
        yield { key: key.slice(prefix.length), size }
    },
    close: () => blobs.close(),
  }
}

/**
 * Yields from a source until the signal aborts, and then throws its reason immediately; a pipeline would wait for the
 * next chunk.
 */
export async function* untilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  signal?.throwIfAborted()
  let reject: (reason: unknown) => void = () => {}
  const abort = () => reject(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  const chunks = source[Symbol.asyncIterator]()
  try {
    for (;;) {
      // A promise for each chunk: racing them against one for the abort would keep all chunks in memory.
      const next = await new Promise<IteratorResult<T>>((resolve, rejectNext) => {
        reject = rejectNext
        chunks.next().then(resolve, rejectNext)
      })
      if (next.done) return
      yield next.value
      signal?.throwIfAborted()
    }
  } finally {
    signal?.removeEventListener('abort', abort)
    // Not awaited: a generator returns only after its pending `next` has settled.
    chunks.return?.().catch(() => {})
  }
}
