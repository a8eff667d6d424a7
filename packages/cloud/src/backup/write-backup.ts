import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { BlobStore } from '../blobs/index.ts'
import type { Database } from '../db/index.ts'
import { isFileNamed, namedFiles } from './file-references-store.ts'
import {
  type BackupHeader,
  type BackupManifest,
  type BackupSecrets,
  type BackupSink,
  END_ENTRY,
  FORMAT_VERSION,
  fileListEntry,
  HEADER_ENTRY,
  type ListedFile,
  MANIFEST_ENTRY,
  rowsEntry,
  SECRETS_ENTRY,
} from './format.ts'
import { DiskSet, withScratchFolder } from './scratch-store.ts'
import { quoteName, type Snapshot, type SnapshotOptions, withSnapshot } from './snapshot-store.ts'
import { tablesToBackUp } from './tables.ts'

/** Characters of rows after which a part ends. */
const PART_CHARACTERS = 1024 * 1024

/** Files after which a part of their list ends. */
const FILES_PER_LIST = 1_000

export interface WriteBackupOptions {
  /** From `newBackupId`. */
  readonly id: string
  readonly database: SnapshotOptions
  /** The same database, for rows that are deleted meanwhile. */
  readonly db: Database
  readonly blobs: Pick<BlobStore, 'get'>
  readonly secrets: BackupSecrets
  readonly sink: BackupSink
  readonly programVersion: string
  /** Epoch ms. */
  readonly now: () => number
  /** Existing folder for temporary files. */
  readonly scratchFolder: string
  readonly signal?: AbortSignal | undefined
}

/** A backup that was written. */
export interface WrittenBackup {
  readonly id: string
  readonly manifest: BackupManifest
  /** Bytes that were written; with a store of several backups, without the files that it had already. */
  readonly writtenBytes: number
}

/**
 * Writes a backup: the rows of one snapshot of the database, then the files that they name. A file that is deleted
 * before it was copied is listed as deleted, and its row is not restored (BAK-3).
 * @throws whatever failed, after the sink was aborted
 */
export async function writeBackup(options: WriteBackupOptions): Promise<WrittenBackup> {
  const { sink, scratchFolder } = options
  try {
    return await withScratchFolder(scratchFolder, async (folder) => {
      const files = new DiskSet(join(folder, 'files.db'))
      try {
        return await new BackupWriter(options, files).write()
      } finally {
        files.close()
      }
    })
  } catch (error) {
    await sink.abort()
    throw error
  }
}

/**
 * Returns an id that sorts by time, after those of earlier backups.
 * @param now epoch ms
 * @param newest id of the newest backup beside which it is stored: the clock may have been set back since
 */
export function newBackupId(now: number, newest?: string): string {
  const time = Math.max(now, newest === undefined ? 0 : timeOf(newest) + 1)
  return `${new Date(time).toISOString().replace(/[-:]/g, '')}-${randomBytes(4).toString('hex')}`
}

/** Returns the time of an id in epoch ms; 0 if it is malformed. */
function timeOf(id: string): number {
  const time = id.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\d\.\d{3}Z)-.*$/, '$1-$2-$3:$4:$5')
  return Date.parse(time) || 0
}

class BackupWriter {
  readonly #options: WriteBackupOptions
  /** Keys of the files that the rows name. */
  readonly #files: DiskSet
  readonly #parts: BackupManifest['parts'] = []

  constructor(options: WriteBackupOptions, files: DiskSet) {
    this.#options = options
    this.#files = files
  }

  async write(): Promise<WrittenBackup> {
    const { database, id, now, secrets, sink } = this.#options
    const startedAt = now()
    const rows = await withSnapshot(database, tablesToBackUp, async (snapshot) => {
      await this.#addJson(HEADER_ENTRY, this.#header(id, startedAt, snapshot))
      await this.#addJson(SECRETS_ENTRY, secrets)
      for await (const keys of namedFiles(snapshot.rows)) this.#files.addAll(keys.map((key) => [key, '']))
      return this.#addRows(snapshot)
    })
    // Files are copied without the snapshot, which would keep the database from removing old versions of rows.
    const files = await this.#addFiles()
    const manifest = { id, endedAt: new Date(now()).toISOString(), parts: this.#parts, rows, files }
    const text = Buffer.from(`${JSON.stringify(manifest)}\n`)
    await sink.add(MANIFEST_ENTRY, text)
    await sink.add(END_ENTRY, Buffer.from(`${hashOf(text)}  ${MANIFEST_ENTRY}\n`))
    this.#options.signal?.throwIfAborted()
    return { id, manifest, writtenBytes: await sink.finish() }
  }

  #header(
    id: string,
    startedAt: number,
    { database, databaseVersion, migrations, tables }: Snapshot,
  ): BackupHeader {
    return {
      format: 'glasses-cloud-backup',
      formatVersion: FORMAT_VERSION,
      id,
      programVersion: this.#options.programVersion,
      createdAt: new Date(startedAt).toISOString(),
      database,
      databaseVersion,
      migrations: [...migrations],
      tables: [...tables],
    }
  }

  async #addRows(snapshot: Snapshot): Promise<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const { name, columns } of snapshot.tables) {
      let count = 0
      const part = new Lines(PART_CHARACTERS, (text, number) => this.#addText(rowsEntry(name, number), text))
      const quoted = columns.map((column) => quoteName(column.name))
      for await (const batch of snapshot.rows(quoteName(name), quoted)) {
        this.#options.signal?.throwIfAborted()
        for (const row of batch) await part.add(row)
        count += batch.length
      }
      await part.end()
      counts[name] = count
    }
    return counts
  }

  async #addFiles(): Promise<BackupManifest['files']> {
    const { blobs, db, signal, sink } = this.#options
    const total = { count: 0, bytes: 0, deleted: 0, missing: 0 }
    let list: ListedFile[] = []
    let lists = 0
    const endList = async () => {
      const text = list.map((file) => `${JSON.stringify(file)}\n`).join('')
      list = []
      if (text === '') return
      lists += 1
      await this.#addText(fileListEntry(lists), text)
    }
    for (const keys of this.#files.batches()) {
      for (const key of keys) {
        signal?.throwIfAborted()
        const stored = await sink.addFile(key, () => blobs.get(key))
        if (stored) {
          total.count += 1
          total.bytes += stored.size
          list.push(stored)
        } else {
          const state = (await isFileNamed(db, key)) ? 'missing' : 'deleted'
          total[state] += 1
          list.push({ key, state })
        }
        if (list.length >= FILES_PER_LIST) await endList()
      }
    }
    await endList()
    return total
  }

  async #addText(name: string, text: string): Promise<void> {
    await this.#add(name, await compress(text))
  }

  async #addJson(name: string, value: unknown): Promise<void> {
    await this.#add(name, Buffer.from(`${JSON.stringify(value)}\n`))
  }

  async #add(name: string, content: Uint8Array): Promise<void> {
    this.#parts.push({ name, size: content.byteLength, sha256: hashOf(content) })
    await this.#options.sink.add(name, content)
  }
}

/** Collects lines of JSON into parts of bounded size. */
class Lines {
  readonly #maxCharacters: number
  readonly #write: (text: string, number: number) => Promise<void>
  #lines: string[] = []
  #characters = 0
  #number = 0

  constructor(maxCharacters: number, write: (text: string, number: number) => Promise<void>) {
    this.#maxCharacters = maxCharacters
    this.#write = write
  }

  async add(value: unknown): Promise<void> {
    const line = `${JSON.stringify(value)}\n`
    this.#lines.push(line)
    this.#characters += line.length
    if (this.#characters >= this.#maxCharacters) await this.end()
  }

  /** Writes the last part. */
  async end(): Promise<void> {
    if (this.#lines.length === 0) return
    const text = this.#lines.join('')
    this.#lines = []
    this.#characters = 0
    this.#number += 1
    await this.#write(text, this.#number)
  }
}

const gzipped = promisify(gzip)

/** Without a time or a name in its header, so that the same rows have the same hash. */
const compress = (text: string) => gzipped(text, { level: 6 })

const hashOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')
