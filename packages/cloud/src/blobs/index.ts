export {
  type Blob,
  type BlobStore,
  BlobTooLargeError,
  type ByteRange,
} from './blob-store.ts'
export { openFolderBlobStore } from './folder-blob-store.ts'
