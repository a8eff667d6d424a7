import { join } from 'node:path'
import { DiskSpace } from '../blobs/index.ts'
import { type Database, openSqlite } from '../db/index.ts'
import { forgetFile, namedFiles } from './file-references-store.ts'
import {
  BackupError,
  type BackupHeader,
  type BackupManifest,
  type BackupSecrets,
  type BackupSource,
  damaged,
} from './format.ts'
import { RowLoader } from './load-rows-store.ts'
import { type BackupReceiver, readBackup } from './read-backup.ts'
import { DiskSet, readDatabase, relaxDurability, withScratchFolder } from './scratch-store.ts'

/** Bytes that a rehearsal leaves free on the disk of its temporary database. */
const SCRATCH_RESERVE_BYTES = 256 * 1024 * 1024

export interface RehearsalOptions {
  /** Existing folder for temporary files, which need the space of a SQLite database with all rows. */
  readonly scratchFolder: string
  /** Bytes that stay free on its disk. */
  readonly reserveBytes?: number
  readonly signal?: AbortSignal | undefined
}

/** A backup that was restored into a temporary database. */
export interface Rehearsal extends LoadedBackup {
  /** The temporary SQLite database, migrated to the schema of this version. */
  readonly db: Database
  /** Returns whether the backup lists a file. */
  hasFile(key: string): boolean
}

/**
 * Reads a whole backup and restores it into a temporary SQLite database, without keeping its files: every hash, every
 * row, every reference between rows and from rows to files is checked, and the migrations to this version are applied.
 * @param work uses the result before it is removed
 * @throws BackupError if the backup cannot be restored
 */
export async function rehearseRestore<Result>(
  source: BackupSource,
  { scratchFolder, reserveBytes = SCRATCH_RESERVE_BYTES, signal }: RehearsalOptions,
  work: (rehearsal: Rehearsal) => Promise<Result>,
): Promise<Result> {
  return withScratchFolder(scratchFolder, async (folder) => {
    const files = new DiskSet(join(folder, 'files.db'))
    const db = await openSqlite(join(folder, 'rows.db'))
    try {
      await relaxDurability(db)
      const discard = async (_: string, content: AsyncIterable<Uint8Array>) => {
        for await (const chunk of content) void chunk
      }
      const space = new DiskSpace(folder, reserveBytes)
      const loaded = await loadBackup(source, db, discard, files, signal, {
        beforeRows: () => requireSpace(space, folder),
      })
      await requireFiles(db, files)
      return await work({ ...loaded, db, hasFile: (key) => files.has(key) })
    } finally {
      await db.destroy()
      files.close()
    }
  })
}

/** What a backup contains beside rows and files. */
export interface LoadedBackup {
  readonly header: BackupHeader
  readonly secrets: BackupSecrets
  readonly manifest: BackupManifest
  /** Tables and columns of a newer version, which this one does not restore. */
  readonly leftOut: readonly string[]
}

/**
 * Restores a backup into a database in one transaction.
 * @param keepFile stores or discards the content of a file
 * @param files receives the keys of all listed files
 * @param beforeCommit runs at the end of the transaction, which it can still fail
 */
export function loadBackup(
  source: BackupSource,
  db: Database,
  keepFile: (key: string, content: AsyncIterable<Uint8Array>) => Promise<void>,
  files: DiskSet | undefined,
  signal: AbortSignal | undefined,
  { check, beforeRows, beforeCommit }: LoadSteps = {},
): Promise<LoadedBackup> {
  return db.transaction().execute(async (trx) => {
    await check?.(trx)
    const loader = new RowLoader(trx)
    let header: BackupHeader | undefined
    let secrets: BackupSecrets | undefined
    const receiver: BackupReceiver = {
      async header(received) {
        header = received
        await loader.createSchema(received)
      },
      async secrets(received) {
        secrets = received
      },
      async rows(table, rows) {
        await beforeRows?.()
        await loader.insert(table, rows)
      },
      file: keepFile,
      async listed(entries) {
        for (const { key } of entries) if (files?.has(key)) throw damaged(key)
        files?.addAll(entries.map((file) => [file.key, 'state' in file ? file.state : '']))
        for (const file of entries)
          if ('state' in file && file.state === 'deleted') await forgetFile(trx, file.key)
      },
    }
    const manifest = await readBackup(source, receiver, signal)
    if (header === undefined || secrets === undefined)
      throw new BackupError('The backup contains no secrets, so it is of another program.')
    await loader.finish(manifest, manifest.files.deleted)
    const loaded = { header, secrets, manifest, leftOut: loader.leftOut }
    await beforeCommit?.(loaded)
    return loaded
  })
}

/** Steps of a restore within its transaction. */
export interface LoadSteps {
  /** Runs first. @throws if the database must not be changed */
  check?(trx: Database): Promise<void>
  /** Runs before each part of rows. */
  beforeRows?(): Promise<void>
  beforeCommit?(loaded: LoadedBackup): Promise<void>
}

/** @throws BackupError before the disk of the temporary database is full */
async function requireSpace(space: DiskSpace, folder: string): Promise<void> {
  if ((await space.available()) < 0)
    throw new BackupError(
      `The disk of ${folder} has no space for a temporary database. Set TMPDIR to a folder on a larger disk.`,
    )
}

/** @throws BackupError if rows name files that the backup does not list */
async function requireFiles(db: Database, files: DiskSet): Promise<void> {
  let missing = 0
  for await (const keys of namedFiles((from, columns) => readDatabase(db, from, columns)))
    missing += keys.filter((key) => !files.has(key)).length
  if (missing > 0)
    throw new BackupError(
      `Rows of the backup name ${missing} files that it does not contain. Use another backup.`,
    )
}
