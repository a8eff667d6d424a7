import type { ClosableBlobStore } from './blob-store.ts'

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
