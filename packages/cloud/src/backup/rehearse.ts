import { join } from 'node:path'
import { type Database, openSqlite } from '../db/index.ts'
import type { BackupSource } from './entries.ts'
import { forgetFile, namedFiles } from './file-references-store.ts'
import type { BackupHeader, BackupManifest, BackupSecrets } from './format.ts'
import { BackupError } from './format.ts'
import { RowLoader } from './load-rows-store.ts'
import { type BackupReceiver, readBackup } from './read-backup.ts'
import { readDatabase, relaxDurability } from './scratch-database-store.ts'
import { DiskSet, withScratchFolder } from './scratch-store.ts'

export interface RehearsalOptions {
  /** Existing folder for temporary files, which need the space of a SQLite database with all rows. */
  readonly scratchFolder: string
  readonly signal?: AbortSignal | undefined
}

/** A backup that was restored into a temporary database. */
export interface Rehearsal {
  readonly header: BackupHeader
  readonly secrets: BackupSecrets
  readonly manifest: BackupManifest
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
  { scratchFolder, signal }: RehearsalOptions,
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
      const loaded = await loadBackup(source, db, discard, files, signal)
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
  { check, beforeCommit }: LoadSteps = {},
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
      rows: (table, rows) => loader.insert(table, rows),
      file: keepFile,
      async listed(entries) {
        files?.addAll(entries.map((file) => [file.key, 'state' in file ? file.state : '']))
        for (const file of entries)
          if ('state' in file && file.state === 'deleted') await forgetFile(trx, file.key)
      },
    }
    const manifest = await readBackup(source, receiver, signal)
    if (header === undefined || secrets === undefined)
      throw new BackupError('The backup contains no secrets, so it is of another program.')
    await loader.finish(manifest, manifest.files.deleted)
    await beforeCommit?.({ header, secrets, manifest })
    return { header, secrets, manifest }
  })
}

/** Steps of a restore within its transaction. */
export interface LoadSteps {
  /** Runs first. @throws if the database must not be changed */
  check?(trx: Database): Promise<void>
  beforeCommit?(loaded: LoadedBackup): Promise<void>
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
