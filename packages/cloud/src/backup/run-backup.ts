import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { DiskSpace, openBlobStore, type S3Options } from '../blobs/index.ts'
import { openDatabase, readCloudId } from '../db/index.ts'
import { BACKUP_LEASE_MS, BackupStateStore } from './backup-state-store.ts'
import type { BackupLock } from './encryption.ts'
import { BackupError, type BackupManifest, type BackupSecrets } from './format.ts'
import { OwnKey } from './own-key.ts'
import { openRepository, readPlace, type S3Access } from './place.ts'
import { rehearseRestore } from './rehearse.ts'
import { DiskSet, withScratchFolder } from './scratch-store.ts'
import { newBackupId, writeBackup } from './write-backup.ts'

/** Time for which a renewed lease is relied on. */
const TRUSTED_MS = 1_000

/** Another process makes backups. */
class LeaseLostError extends BackupError {
  constructor() {
    super('The backup was interrupted for too long, and another process makes one now.')
    this.name = 'LeaseLostError'
  }
}

/**
 * Returns a function that a process calls before each write to a repository: it throws once another process has the lease,
 * which happens to a process that was suspended. It renews the lease at most once a second of the wall clock, which
 * advances while the machine sleeps.
 * @param signal aborts the next write
 */
export function createLeaseGuard(
  states: Pick<BackupStateStore, 'renew'>,
  owner: string,
  signal?: AbortSignal,
  now = Date.now,
): () => Promise<void> {
  let renewedAt = Number.NEGATIVE_INFINITY
  return async () => {
    signal?.throwIfAborted()
    const askedAt = now()
    const age = Math.abs(askedAt - renewedAt)
    if (age < TRUSTED_MS) return
    const isRenewed = await states.renew(owner).catch((error: unknown) => {
      // A short outage of the database does not end the lease.
      if (age < BACKUP_LEASE_MS / 2) return undefined
      throw error
    })
    if (isRenewed === false) throw new LeaseLostError()
    if (isRenewed) renewedAt = askedAt
  }
}

/** Everything that a backup into a repository needs, as plain data that a worker thread receives. */
export interface BackupTask {
  readonly to: string
  /** Access to a bucket in `to`; `endpoint` is a URL as text. */
  readonly s3: PlainS3<S3Access> | undefined
  readonly lock: BackupLock | undefined
  /** Number of backups that are kept. */
  readonly keep: number
  readonly databaseUrl: string | undefined
  readonly dataDir: string
  /** The bucket of the files. */
  readonly fileS3: PlainS3<S3Options> | undefined
  readonly diskReserveBytes: number
  readonly secrets: BackupSecrets
  readonly programVersion: string
  /** Folder for temporary files, which is emptied first. */
  readonly scratchFolder: string
}

type PlainS3<Options extends S3Access> = Omit<Options, 'endpoint'> & { readonly endpoint: string }

/** A verified backup in a repository. */
export interface RepositoryBackup {
  readonly id: string
  readonly manifest: BackupManifest
  readonly writtenBytes: number
  /** Bytes of all backups. */
  readonly bytes: number
  /** Name of the repository. */
  readonly place: string
  /** Why old backups and files may remain, as a sentence; undefined if they were removed. */
  readonly remains: string | undefined
}

/** Returns access with a URL that `postMessage` can copy. */
export function plainS3<Options extends S3Access>(
  options: Options | undefined,
): PlainS3<Options> | undefined {
  return options && { ...options, endpoint: options.endpoint.href }
}

function parsedS3<Options extends S3Access>(plain: PlainS3<Options>): Options {
  return { ...plain, endpoint: new URL(plain.endpoint) } as unknown as Options
}

/**
 * Backs up into a repository, verifies what was written, and removes backups beyond `keep`.
 * @param leaseOwner has claimed the lease (`BackupStateStore`)
 * @throws Error if it fails; then the backup was removed
 */
export async function runBackup(
  task: BackupTask,
  leaseOwner: string,
  signal?: AbortSignal,
): Promise<RepositoryBackup> {
  const { databaseUrl, dataDir, diskReserveBytes, lock, secrets, scratchFolder } = task
  const log = pino({ level: 'silent' })
  // Leftovers of a process that died contain rows.
  await rm(scratchFolder, { recursive: true, force: true })
  await mkdir(scratchFolder, { recursive: true, mode: 0o700 })
  const place = await readPlace(/^s3:|\/$/.test(task.to) ? task.to : `${task.to}/`)
  if (place.kind === 'file')
    throw new BackupError(`${task.to} is a file. Set BACKUP_TO to a folder or s3://bucket/prefix.`)
  const space = place.kind === 'folder' ? new DiskSpace(place.path, diskReserveBytes) : undefined
  const repository = await openRepository(place, task.s3 && parsedS3<S3Access>(task.s3), log, space)
  const blobs = await openBlobStore({ dataDir, s3: task.fileS3 && parsedS3<S3Options>(task.fileS3), log })
  const db = await openDatabase({ databaseUrl, dataDir })
  const own = new OwnKey(secrets.authSecret)
  try {
    return await withScratchFolder(scratchFolder, async (folder) => {
      const open = (name: string) => new DiskSet(join(folder, name))
      const [known, objects, added] = [open('known'), open('objects'), open('added')]
      const [stored, named] = [open('stored'), open('named')]
      const states = new BackupStateStore(db)
      const guard = createLeaseGuard(states, leaseOwner, signal)
      try {
        await repository.claim(await readCloudId(db), (await states.read()).lastGood?.place)
        const recipients = await repository.recipientsFor(lock)
        await repository.readObjects(objects)
        await repository.readKnownFiles(own, known)
        const id = newBackupId(Date.now(), (await repository.list()).at(-1))
        const sink = repository.sink(id, recipients, own, { known, objects, added }, guard)
        const now = Date.now
        const { programVersion } = task
        const database = { databaseUrl, dataDir }
        const written = await writeBackup({
          ...{ id, database, db, blobs, secrets, sink, programVersion, now, scratchFolder, signal },
        })
        try {
          await repository.verifyWritten(added, signal)
          await repository.readObjects(stored)
          await repository.requireObjects(id, own, stored)
          // With public keys, the server cannot read what it wrote.
          if (lock?.recipients === undefined) {
            const key = { passphrase: lock?.passphrase }
            const source = await repository.source(id, key, (object) => !added.has(`objects/${object}`))
            await rehearseRestore(source, { scratchFolder, signal }, async () => {})
          }
        } catch (error) {
          await sink.abort()
          throw error
        }
        // The backup is good, whatever happens to old ones.
        const remains = await repository
          .prune(task.keep, own, { objects: stored, named }, guard)
          .catch((error: unknown) => {
            if (error instanceof LeaseLostError || signal?.aborted) throw error
            return `Old backups were not removed: ${error instanceof Error ? error.message : String(error)}`
          })
        return { ...written, bytes: await repository.size(), place: repository.name, remains }
      } finally {
        for (const set of [known, objects, added, stored, named]) set.close()
      }
    })
  } finally {
    await db.destroy()
    await blobs.close()
    await repository.close()
  }
}
