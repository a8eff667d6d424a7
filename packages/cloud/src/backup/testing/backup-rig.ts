import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { type BlobStore, type DiskSpace, openBlobStore } from '../../blobs/index.ts'
import { type DatabaseOptions, openDatabase } from '../../db/index.ts'
import type { TestScope } from '../../db/testing.ts'
import {
  type BackupKey,
  type BackupLock,
  type BackupSource,
  createTarSink,
  newBackupId,
  openTarSource,
  rehearseRestore,
  restoreBackup,
  writeBackup,
} from '../index.ts'
import type { BackupReceiver } from '../read-backup.ts'
import { fillCloud } from './filled-cloud.ts'

/** The secret of the clouds that are backed up. */
export const SECRET = 'secret of the cloud that was backed up'

/** Receives everything and keeps nothing. */
export const nobody: BackupReceiver = {
  header: async () => {},
  secrets: async () => {},
  rows: async () => {},
  listed: async () => {},
  async file(_, content) {
    for await (const chunk of content) void chunk
  },
}

/** The database and the files of a cloud. */
export interface TestedCloud {
  readonly database: DatabaseOptions
  readonly blobs: BlobStore
}

/** A file store whose method `get` is another. */
export function withGet(blobs: BlobStore, get: BlobStore['get']): BlobStore {
  return {
    get,
    put: blobs.put.bind(blobs),
    list: blobs.list.bind(blobs),
    delete: blobs.delete.bind(blobs),
    checkSpace: blobs.checkSpace.bind(blobs),
  }
}

/** Folders, clouds and backups of a test, removed when it ends. */
export class BackupRig {
  readonly folder: string

  constructor(t: TestScope) {
    this.folder = mkdtempSync(join(tmpdir(), 'glasses-cloud-backup-test-'))
    t.after(() => rmSync(this.folder, { recursive: true, force: true }))
  }

  path(name: string): string {
    return join(this.folder, name)
  }

  /** An empty cloud whose files and secret are in a folder. @param database by default SQLite in that folder */
  async empty(name: string, database: Partial<DatabaseOptions> = {}): Promise<TestedCloud> {
    const dataDir = this.path(name)
    const blobs = await openBlobStore({ dataDir, s3: undefined, log: pino({ level: 'silent' }) })
    return { database: { ...database, dataDir }, blobs }
  }

  /** A cloud on SQLite with rows in every table and the files that they name. */
  async filled(name: string): Promise<TestedCloud> {
    const cloud = await this.empty(name)
    await fillCloud(cloud.database.dataDir, cloud.blobs)
    return cloud
  }

  /** Backs a cloud up into a new file. */
  async backUp({ database, blobs }: TestedCloud, name: string, lock?: BackupLock) {
    const db = await openDatabase(database)
    try {
      return await writeBackup({
        id: newBackupId(Date.now()),
        database: { databaseUrl: database.databaseUrl, dataDir: database.dataDir },
        db,
        blobs,
        secrets: { authSecret: SECRET },
        sink: await createTarSink(this.path(name), lock),
        programVersion: '1.0.0',
        now: Date.now,
        scratchFolder: this.folder,
      })
    } finally {
      await db.destroy()
    }
  }

  source(name: string, key: BackupKey = {}): BackupSource {
    return openTarSource(this.path(name), key)
  }

  restore(
    source: BackupSource,
    { database, blobs }: TestedCloud,
    configuredSecrets: readonly string[] = [],
    space?: DiskSpace,
  ) {
    return restoreBackup({
      space,
      source,
      database: { databaseUrl: database.databaseUrl, dataDir: database.dataDir },
      blobs,
      configuredSecrets,
      samplePackage: 'sample',
      scratchFolder: this.folder,
    })
  }

  /** Checks a backup as `cli verify` does. */
  verify(source: BackupSource) {
    return rehearseRestore(source, { scratchFolder: this.folder }, async ({ manifest }) => manifest)
  }
}
