import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { type BlobStore, oneChunk } from '../../blobs/index.ts'
import { DATABASE_FILE, type Database, type DatabaseOptions, openDatabase } from '../../db/index.ts'
import { createMigratedSqlite } from '../../db/testing-sqlite.ts'
import { namedFiles } from '../file-references-store.ts'
import type { CellValue } from '../format.ts'
import { readDatabase } from '../scratch-store.ts'
import { describeTables } from '../table-shapes-store.ts'
import { TABLES } from '../tables.ts'

/** Rows of each table. */
const ROWS = 2

interface ForeignKey {
  readonly from: string
  readonly table: string
  readonly to: string
}

/**
 * Fills every table of a migrated SQLite database in a folder with rows that follow its references, and stores the files
 * that they name, with a content of their own. A table of a later migration is filled, too.
 */
export async function fillCloud(dataDir: string, blobs: BlobStore): Promise<void> {
  await createMigratedSqlite(dataDir)
  const connection = new DatabaseSync(join(dataDir, DATABASE_FILE))
  const query = async (text: string) => connection.prepare(text).all() as Record<string, unknown>[]
  /** Follows references to the column that a value comes from. */
  const originOf = (table: string, column: string): readonly [table: string, column: string] => {
    const keys = connection.prepare(`pragma foreign_key_list("${table}")`).all() as unknown as ForeignKey[]
    const key = keys.find(({ from }) => from === column)
    return key ? originOf(key.table, key.to) : [table, column]
  }
  // The version decides which program may open the database.
  const isFilled = (table: string) => table in TABLES && table !== 'database_version'
  for (const { name, columns } of await describeTables('sqlite', query, isFilled)) {
    for (let number = 1; number <= ROWS; number += 1) {
      const row = columns.map(({ name: column, type }) => {
        const [table, origin] = originOf(name, column)
        return fittingValue(table, origin, type, number)
      })
      const marks = row.map(() => '?').join()
      const names = columns.map((column) => `"${column.name}"`).join()
      connection.prepare(`insert or replace into "${name}" (${names}) values (${marks})`).run(...row)
    }
  }
  connection.close()
  const db = await openDatabase({ dataDir })
  for (const key of await listNamedFiles(db)) await blobs.put(key, oneChunk(Buffer.from(`content of ${key}`)))
  await db.destroy()
}

/** A value that fits its column, unique within it. */
function fittingValue(table: string, column: string, type: string, number: number): string | number | null {
  if (table === 'exports' && column === 'status') return 'completed'
  if (table === 'gallery_usage' && column === 'photos') return 1
  if (table === 'gallery_usage' && column === 'bytes') return 16 * 1024
  if (table === 'gallery_photos' && column === 'size') return 100
  if (column === 'logo_url') return `/api/app-images/${imageName(`logo ${number}`)}`
  if (column === 'screenshots')
    return JSON.stringify([`/api/app-images/${imageName(`screenshot ${number}`)}`])
  if (/^(last_used_at|model|revoked_at|suspended_at)$/.test(column) && number === 1) return null
  if (/int|real|num/.test(type)) return number
  if (column === 'profile' || column === 'content') return JSON.stringify({ text: `ünï "${number}"\n\t😀` })
  return `${table.replaceAll('_', '-')}-${column.replaceAll('_', '-')}-${number}`
}

const imageName = (text: string) => `${createHash('md5').update(text).digest('hex')}.png`

/** Returns the keys of all files that the rows of a database name, in order. */
export async function listNamedFiles(db: Database): Promise<string[]> {
  const keys: string[] = []
  for await (const batch of namedFiles((from, columns) => readDatabase(db, from, columns)))
    keys.push(...batch)
  return keys.sort()
}

/** Returns all rows of the tables that are backed up, in a form that does not depend on the database. */
export async function dump(options: DatabaseOptions): Promise<Record<string, string[]>> {
  const db = await openDatabase(options)
  try {
    const dumped: Record<string, string[]> = {}
    for (const [table, decision] of Object.entries(TABLES)) {
      if (decision !== 'kept') continue
      const { rows } = await sql<Record<string, CellValue>>`select * from ${sql.table(table)}`.execute(db)
      dumped[table] = rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort()
    }
    return dumped
  } finally {
    await db.destroy()
  }
}

/** Returns the content of every file of a blob store, by key. */
export async function dumpFiles(blobs: BlobStore): Promise<Record<string, string>> {
  const contents: Record<string, string> = {}
  for await (const { key } of blobs.list('')) {
    const blob = await blobs.get(key)
    contents[key] = String(Buffer.concat(await (blob?.stream.toArray() ?? [])))
  }
  return contents
}
