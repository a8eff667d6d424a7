import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import {
  type ClosableBlobStore,
  type DiskSpace,
  loadS3,
  openFolderBlobStore,
  type S3Options,
  withPrefix,
} from '../blobs/index.ts'
import { BackupError } from './format.ts'
import { BackupRepository } from './repository.ts'

/** Where a backup is: a file, or a folder or bucket with several backups. */
export type BackupPlace =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly prefix: string }

/** How a bucket is accessed. */
export type S3Access = Omit<S3Options, 'bucket'>

/** An S3 URL with a bucket and a path of valid keys. */
const S3_URL = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)\/?$/

/**
 * Reads the name of a place: `s3://bucket/prefix`, a folder that exists or ends with a slash, or else a file.
 * @throws BackupError if it is malformed
 */
export async function readPlace(name: string): Promise<BackupPlace> {
  if (/^[a-z0-9]+:\/\//i.test(name)) {
    const [, bucket = '', path = ''] = S3_URL.exec(name) ?? []
    if (bucket === '') throw new BackupError(`${name} must be a file, a folder, or s3://bucket/prefix.`)
    return { kind: 's3', bucket, prefix: path === '' ? '' : `${path.slice(1)}/` }
  }
  const found = await stat(name).catch(() => undefined)
  const isFolder = found?.isDirectory() ?? name.endsWith('/')
  return { kind: isFolder ? 'folder' : 'file', path: resolve(name) }
}

/**
 * Opens a folder or bucket with several backups.
 * @param access of S3; undefined if it is not configured
 * @throws BackupError without access to S3; Error with a message for the operator if it cannot be opened
 */
export async function openRepository(
  place: Exclude<BackupPlace, { kind: 'file' }>,
  access: S3Access | undefined,
  log: Logger,
  space?: DiskSpace,
): Promise<BackupRepository> {
  if (place.kind === 'folder')
    return new BackupRepository(place.path, await openFolderBlobStore(place.path, space))
  if (access === undefined)
    throw new BackupError(
      'A backup on S3 needs BACKUP_S3_ENDPOINT, BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY, or the same of the files (S3_ENDPOINT and so on).',
    )
  const { openS3BlobStore } = await loadS3()
  const store: ClosableBlobStore = await openS3BlobStore({ ...access, bucket: place.bucket }, log)
  return new BackupRepository(`s3://${place.bucket}/${place.prefix}`, withPrefix(store, place.prefix))
}
