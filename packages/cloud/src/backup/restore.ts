import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobStore, DiskSpace } from '../blobs/index.ts'
import { AUTH_SECRET_FILE } from '../config/index.ts'
import type { Database } from '../db/index.ts'
import { BackupError, type BackupSecrets, type BackupSource } from './format.ts'
import { type LoadedBackup, loadBackup, type Rehearsal, rehearseRestore } from './rehearse.ts'
import type { SnapshotOptions } from './snapshot-store.ts'
import { explainLock, openTarget, requireEmpty, targetExists } from './target-store.ts'

export interface RestoreOptions {
  readonly source: BackupSource
  readonly database: SnapshotOptions
  readonly blobs: BlobStore
  /** `AUTH_SECRET` and `AUTH_SECRET_PREVIOUS`, as far as they are set. */
  readonly configuredSecrets: readonly string[]
  /** The app that a new cloud registers by itself. */
  readonly samplePackage: string
  readonly scratchFolder: string
  readonly signal?: AbortSignal | undefined
  /** The space on the disk of the files; undefined: not limited. */
  readonly space?: DiskSpace | undefined
  /** Called when the backup was checked, before anything is changed. */
  readonly onChecked?: (rehearsal: Rehearsal) => void
}

/**
 * Restores a backup into an empty cloud. It is first read and checked as a whole; then its files are stored and its
 * rows committed in one transaction at the end, so that a restore that is interrupted leaves an empty cloud and can be
 * repeated (BAK-7).
 * @throws BackupError if the backup, the cloud or a setting does not allow it; then nothing has changed
 */
export async function restoreBackup(options: RestoreOptions): Promise<LoadedBackup> {
  const { source, database, blobs, configuredSecrets, samplePackage, scratchFolder, signal, space } = options
  const check = (trx: Database) => requireEmpty(trx, samplePackage)
  // Before the long work; it is checked again in the transaction of the restore.
  if (await targetExists(database)) await withTarget(database, (db) => db.transaction().execute(check))
  await rehearseRestore(source, { scratchFolder, signal }, async (rehearsal) => {
    requireSameSecret(rehearsal.secrets, configuredSecrets)
    await requireOwnFiles(blobs, rehearsal)
    await requireSpace(space, rehearsal.manifest.files.bytes)
    options.onChecked?.(rehearsal)
  })
  return withTarget(database, (db) =>
    loadBackup(
      source,
      db,
      async (key, content) => void (await blobs.put(key, content, { signal })),
      undefined,
      signal,
      {
        check,
        async beforeCommit({ secrets }) {
          if (configuredSecrets.length === 0) await writeSecret(database.dataDir, secrets.authSecret)
        },
      },
    ),
  )
}

async function withTarget<Result>(database: SnapshotOptions, work: (db: Database) => Promise<Result>) {
  const db = await openTarget(database).catch((error: unknown) => Promise.reject(explainLock(error)))
  try {
    return await work(db).catch((error: unknown) => Promise.reject(explainLock(error)))
  } finally {
    await db.destroy()
  }
}

/** @throws BackupError if the settings have another secret than the rows were sealed with */
function requireSameSecret({ authSecret }: BackupSecrets, configured: readonly string[]): void {
  if (configured.length === 0 || configured.includes(authSecret)) return
  throw new BackupError(
    'AUTH_SECRET is not the secret of the backup, without which its keys and tokens are useless. Remove AUTH_SECRET, so that the restore stores that secret in DATA_DIR, or set it to that secret ("secrets.json" in the backup).',
  )
}

/** @throws BackupError if the files would not fit */
async function requireSpace(space: DiskSpace | undefined, bytes: number): Promise<void> {
  const available = (await space?.available()) ?? Number.POSITIVE_INFINITY
  if (available < bytes)
    throw new BackupError(
      `The files of the backup need ${Math.ceil(bytes / 1_048_576)} MB, but the disk has ${Math.max(0, Math.floor(available / 1_048_576))} MB beyond DISK_RESERVE_MB. Restore into a DATA_DIR on a larger disk.`,
    )
}

/** Folders of the files that rows name. */
const FOLDERS = ['photos/', 'incidents/', 'exports/', 'app-images/']

/**
 * Files of an interrupted restore of this backup are replaced. Others would belong to another cloud, whose files the
 * restored one would delete as orphans.
 */
async function requireOwnFiles(blobs: BlobStore, { hasFile }: Rehearsal): Promise<void> {
  for (const folder of FOLDERS) {
    for await (const { key } of blobs.list(folder)) {
      if (!hasFile(key))
        throw new BackupError(
          `The file store is not empty: it contains ${key}, which is not in the backup. Restore into another DATA_DIR or S3_BUCKET.`,
        )
    }
  }
}

/** Replaces the secret of the empty cloud. */
async function writeSecret(dataDir: string, secret: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const draft = join(dataDir, `${AUTH_SECRET_FILE}.${randomUUID()}`)
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(`${secret}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, join(dataDir, AUTH_SECRET_FILE))
  } finally {
    await rm(draft, { force: true })
  }
}
