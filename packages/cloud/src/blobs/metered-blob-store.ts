import type { Metrics } from '../http/metrics.ts'
import { BlobKeyError, BlobRangeError, BlobTooLargeError, type ClosableBlobStore } from './blob-store.ts'
import { isDiskFull } from './disk-space.ts'

const OPERATIONS = ['put', 'get', 'delete'] as const
const RESULTS = ['ok', 'disk_full', 'rejected', 'failed'] as const

/** Returns the same store, whose operations are measured; reading is measured until the stream is open. */
export function meteredBlobStore(store: ClosableBlobStore, metrics: Metrics): ClosableBlobStore {
  const operations = metrics.counter(
    'blob_operations_total',
    'Operations on stored files, by result; clients cause what is rejected',
    ['operation', 'result'],
    OPERATIONS.flatMap((operation) => RESULTS.map((result) => ({ operation, result }))),
  )
  const duration = metrics.histogram(
    'blob_operation_duration_seconds',
    'Time of operations on stored files, that of receiving them included',
    ['operation'],
    [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    OPERATIONS.map((operation) => ({ operation })),
  )
  const written = metrics.counter('blob_written_bytes_total', 'Bytes of stored files')
  const measure = async <Value>(
    operation: (typeof OPERATIONS)[number],
    run: () => Promise<Value>,
    isRejected: (error: unknown) => boolean,
  ): Promise<Value> => {
    const startedAt = performance.now()
    let result: (typeof RESULTS)[number] = 'ok'
    try {
      return await run()
    } catch (error) {
      result = isDiskFull(error) ? 'disk_full' : isRejected(error) ? 'rejected' : 'failed'
      throw error
    } finally {
      operations.inc({ operation, result })
      duration.observe({ operation }, (performance.now() - startedAt) / 1_000)
    }
  }
  return {
    async put(key, source, options) {
      const watched = new WatchedSource(source)
      const isRejected = (error: unknown) =>
        watched.hasFailed || options?.signal?.aborted === true || isRejection(error)
      const info = await measure('put', () => store.put(key, watched, options), isRejected)
      written.inc(info.size)
      return info
    },
    get: (key, options) => measure('get', () => store.get(key, options), isRejection),
    delete: (key) => measure('delete', () => store.delete(key), isRejection),
    checkSpace: () => store.checkSpace(),
    list: (prefix) => store.list(prefix),
    close: () => store.close(),
  }
}

/** What a client sends. If it ends early, the store has not failed. */
class WatchedSource implements AsyncIterable<Uint8Array> {
  readonly #source: AsyncIterable<Uint8Array>
  hasFailed = false

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#source
    } catch (error) {
      this.hasFailed = true
      throw error
    }
  }
}

function isRejection(error: unknown): boolean {
  return (
    error instanceof BlobTooLargeError || error instanceof BlobRangeError || error instanceof BlobKeyError
  )
}
