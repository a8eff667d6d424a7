export {
  type Blob,
  type BlobStore,
  BlobTooLargeError,
  type ByteRange,
  type ClosableBlobStore,
  isBlobKey,
  type PutOptions,
} from './blob-store.ts'
export { DiskFullError, DiskSpace, isDiskFull } from './disk-space.ts'
export { meteredBlobStore } from './metered-blob-store.ts'
export { oneChunk } from './one-chunk.ts'
export { openBlobStore } from './open-blob-store.ts'
