import { mkdtemp, rm, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import {
  type Database,
  type DatabaseOptions,
  type DatabaseState,
  openSqlite,
  openUnlimitedPostgres,
  type Program,
  pendingMigrations,
} from '../db/index.ts'

/** Rows of each table that are copied to measure migrations on PostgreSQL. */
const SAMPLE_ROWS = 200_000

/** What the pending migrations cost on a copy of the data. */
export interface Rehearsal {
  /** Duration of each pending migration in ms, by name. */
  readonly durationsMs: ReadonlyMap<string, number>
  /** Bytes that the database needs in addition while it is migrated. */
  readonly extraBytes: number
  /** How it was measured, as a sentence. */
  readonly method: string
}

/**
 * Runs the pending migrations on a copy of the data: of the SQLite file in a temporary folder, or of the tables in a
 * schema of a PostgreSQL transaction that is rolled back. The database itself does not change.
 * @throws Error with a message for the operator if there is no space for the copy, or a migration fails
 */
export async function rehearseMigrations(
  options: DatabaseOptions,
  db: Database,
  state: DatabaseState,
  program: Program,
): Promise<Rehearsal> {
  return options.databaseUrl === undefined
    ? rehearseOnFile(db, state, program)
    : rehearseInSchema(options.databaseUrl, state, program)
}

async function rehearseOnFile(db: Database, state: DatabaseState, program: Program): Promise<Rehearsal> {
  const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-upgrade-'))
  try {
    await requireSpace(folder, 2 * (await sqliteBytes(db)))
    const file = join(folder, 'copy.db')
    await sql`vacuum into ${file}`.execute(db)
    const copy = await openSqlite(file)
    try {
      // The log then contains every page that the migrations write.
      await sql`pragma wal_autocheckpoint = 0`.execute(copy)
      const before = await sqliteBytes(copy)
      const durationsMs = await copy.transaction().execute((trx) => runPending(trx, state, program))
      const extraBytes = (await sqliteBytes(copy)) - before + (await stat(`${file}-wal`)).size
      return { durationsMs, extraBytes, method: 'Measured on a copy of the whole database.' }
    } finally {
      await copy.destroy()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function rehearseInSchema(
  databaseUrl: string,
  state: DatabaseState,
  program: Program,
): Promise<Rehearsal> {
  const db = await openUnlimitedPostgres(databaseUrl)
  const trx = await db.startTransaction().execute()
  try {
    await sql`create schema glasses_cloud_upgrade`.execute(trx)
    await sql`set local search_path to glasses_cloud_upgrade`.execute(trx)
    const applied = Object.entries(program.migrations).filter(([name]) => state.applied.includes(name))
    for (const [, migration] of applied.sort(([one], [other]) => (one < other ? -1 : 1)))
      await migration.up(trx as Database)
    const factor = await copyRows(trx)
    const before = await schemaBytes(trx)
    const durationsMs = await runPending(trx, state, program)
    const extraBytes = (await schemaBytes(trx)) - before
    return {
      durationsMs: new Map([...durationsMs].map(([name, ms]) => [name, ms * factor])),
      extraBytes: extraBytes * factor,
      method:
        factor === 1
          ? 'Measured on a copy of all rows, without their references.'
          : `Extrapolated: measured on ${SAMPLE_ROWS} rows of each table, without their references, and multiplied ` +
            `by ${factor.toFixed(1)}, the ratio of the largest table. Migrations that sort or compare rows can take longer.`,
    }
  } finally {
    await trx.rollback().execute()
    await db.destroy()
  }
}

/**
 * Copies rows of the default schema into the temporary one. References and triggers do not apply meanwhile: a sample
 * lacks rows that others refer to.
 * @returns the ratio of the rows to those copied, of the largest table
 */
async function copyRows(trx: Database): Promise<number> {
  const keys = await sql<{ table: string; name: string }>`
    select conrelid::regclass::text as "table", quote_ident(conname) as name from pg_constraint
    where contype = 'f' and connamespace = 'glasses_cloud_upgrade'::regnamespace`.execute(trx)
  for (const { table, name } of keys.rows)
    await sql.raw(`alter table ${table} drop constraint ${name}`).execute(trx)
  const tables = await sql<{ name: string; columns: string; estimate: number }>`
    select quote_ident(c.relname) as name, greatest(p.reltuples, 0) as estimate, (
      select string_agg(quote_ident(a.attname), ', ') from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ) as columns
    from pg_class c join pg_class p on p.relname = c.relname and p.relnamespace = 'public'::regnamespace
    where c.relkind = 'r' and c.relnamespace = 'glasses_cloud_upgrade'::regnamespace`.execute(trx)
  let factor = 1
  for (const { name, columns, estimate } of tables.rows) {
    await sql.raw(`alter table ${name} disable trigger user`).execute(trx)
    const { numAffectedRows: copied = 0n } = await sql
      .raw(
        `insert into ${name} (${columns}) overriding system value
         select ${columns} from public.${name} limit ${SAMPLE_ROWS}`,
      )
      .execute(trx)
    await sql.raw(`alter table ${name} enable trigger user`).execute(trx)
    if (copied >= BigInt(SAMPLE_ROWS)) factor = Math.max(factor, estimate / SAMPLE_ROWS)
  }
  return factor
}

/** Runs pending migrations. @returns their durations in ms, by name */
async function runPending(
  db: Database,
  state: DatabaseState,
  program: Program,
): Promise<Map<string, number>> {
  const durations = new Map<string, number>()
  for (const name of pendingMigrations(state, program)) {
    const startedAt = performance.now()
    await program.migrations[name]?.up(db)
    durations.set(name, performance.now() - startedAt)
  }
  return durations
}

async function requireSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize >= bytes) return
  throw new Error(
    `${folder} has no space for a copy of the database (${Math.ceil(bytes / 1_048_576)} MB). Set TMPDIR to a folder on a larger disk.`,
  )
}

async function sqliteBytes(db: Database): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`.execute(db)
  return rows[0]?.bytes ?? 0
}

async function schemaBytes(db: Database): Promise<number> {
  const { rows } = await sql<{ bytes: number | null }>`
    select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class
    where relkind = 'r' and relnamespace = 'glasses_cloud_upgrade'::regnamespace`.execute(db)
  return rows[0]?.bytes ?? 0
}
