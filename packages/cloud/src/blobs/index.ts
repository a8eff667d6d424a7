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
export { openFolderBlobStore } from './folder-blob-store.ts'
export { meteredBlobStore } from './metered-blob-store.ts'
export { oneChunk } from './one-chunk.ts'
export { loadS3, openBlobStore } from './open-blob-store.ts'
export type { S3Options } from './s3/s3-client.ts'
export { withPrefix } from './with-prefix.ts'
