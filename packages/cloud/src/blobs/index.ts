export {
  type Blob,
  type BlobStore,
  BlobTooLargeError,
  type ByteRange,
} from './blob-store.ts'
export { openBlobStore } from './open-blob-store.ts'
