import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import type { Database } from '../db/index.ts'
import type { CellValue } from './format.ts'

const BATCH = 500

/** Makes writes to a temporary SQLite database fast: it need not survive a crash. */
export async function relaxDurability(db: Database): Promise<void> {
  await sql`pragma journal_mode = off`.execute(db)
  await sql`pragma synchronous = off`.execute(db)
}

/** Reads rows of a SQLite database that nobody writes; see `ReadRows`. */
export async function* readDatabase(
  db: Database,
  from: string,
  columns: readonly string[],
): AsyncGenerator<CellValue[][]> {
  const list = columns.map((column, index) => `${column} as c${index}`).join(', ')
  for (let offset = 0; ; offset += BATCH) {
    const { rows } = await sql
      .raw<Record<string, CellValue>>(`select ${list} from ${from} limit ${BATCH} offset ${offset}`)
      .execute(db)
    if (rows.length > 0) yield rows.map((row) => columns.map((_, index) => row[`c${index}`] ?? null))
    if (rows.length < BATCH) return
  }
}

/** Names of a folder for temporary files; leftovers of processes that died have it too. */
const SCRATCH_PREFIX = 'glasses-cloud-backup-'

/** Runs work with an empty folder that is removed afterwards. @param parent an existing folder on a disk with space */
export async function withScratchFolder<Result>(
  parent: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(parent, SCRATCH_PREFIX))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A set of texts on the disk, so that memory does not depend on their number. */
export class DiskSet {
  readonly #db: DatabaseSync
  readonly #insert
  readonly #find

  /** @param file does not exist yet */
  constructor(file: string) {
    this.#db = new DatabaseSync(file)
    this.#db.exec('pragma journal_mode = off; pragma synchronous = off')
    this.#db.exec('create table entries (key text primary key, value text not null) without rowid')
    this.#insert = this.#db.prepare('insert or replace into entries (key, value) values (?, ?)')
    this.#find = this.#db.prepare('select value from entries where key = ?')
  }

  /** Adds entries, replacing those with the same key. */
  addAll(entries: readonly (readonly [key: string, value: string])[]): void {
    this.#db.exec('begin')
    for (const [key, value] of entries) this.#insert.run(key, value)
    this.#db.exec('commit')
  }

  get(key: string): string | undefined {
    const row = this.#find.get(key)
    return row === undefined ? undefined : String(row.value)
  }

  has(key: string): boolean {
    return this.#find.get(key) !== undefined
  }

  /** Yields the keys in their order, in batches. */
  *batches(size = 500): Generator<string[]> {
    const next = this.#db.prepare('select key from entries where key > ? order by key limit ?')
    for (let last = ''; ; ) {
      const keys = next.all(last, size).map(({ key }) => String(key))
      if (keys.length === 0) return
      yield keys
      last = keys.at(-1) ?? last
    }
  }

  clear(): void {
    this.#db.exec('delete from entries')
  }

  close(): void {
    this.#db.close()
  }
}
