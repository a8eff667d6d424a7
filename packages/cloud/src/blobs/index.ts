import { join } from 'node:path'
import type { Logger } from 'pino'
import type { ClosableBlobStore } from './blob-store.ts'
import type { DiskSpace } from './disk-space.ts'
import { openFolderBlobStore } from './folder-blob-store.ts'
import type { S3Options } from './s3/s3-client.ts'

export {
  type Blob,
  type BlobStore,
  BlobTooLargeError,
  type ByteRange,
  type ClosableBlobStore,
  isBlobKey,
  oneChunk,
  type PutOptions,
  withPrefix,
} from './blob-store.ts'
export { DiskFullError, DiskSpace, isDiskFull } from './disk-space.ts'
export { openFolderBlobStore } from './folder-blob-store.ts'
export { meteredBlobStore } from './metered-blob-store.ts'
export type { S3Options } from './s3/s3-client.ts'

/** Where blobs are stored. */
interface BlobStoreOptions {
  readonly dataDir: string
  /** Undefined: the folder `blobs` in `dataDir`. */
  readonly s3: S3Options | undefined
  /** The space on the disk of `dataDir`; undefined: not limited. */
  readonly space?: DiskSpace | undefined
  readonly log: Logger
}

/**
 * Opens the blob store of a configuration.
 * @throws Error with a message for the operator: folder unusable, settings rejected by S3
 */
export async function openBlobStore({
  dataDir,
  s3,
  space,
  log,
}: BlobStoreOptions): Promise<ClosableBlobStore> {
  if (s3 === undefined) return await openFolderBlobStore(join(dataDir, 'blobs'), space)
  const { openS3BlobStore } = await loadS3()
  return await openS3BlobStore(s3, log)
}

/** Loads what opens a bucket: a cloud with a folder needs none of it. */
export const loadS3 = () => import('./s3/s3-blob-store.ts')
