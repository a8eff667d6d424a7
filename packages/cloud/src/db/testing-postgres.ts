import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type DatabaseOptions, openDatabase } from './database.ts'
import { hashMigrations } from './testing-sqlite.ts'

const serverUrl = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/test'

/** Databases of other migrations are dropped when there are more than this. */
const MAX_DATABASES = 40

const POOL = 'glasses_cloud_tests_'

const CONNECT_TIMEOUT_MS = 30_000
const TOO_MANY_CONNECTIONS = '53300'

/**
 * Migrated PostgreSQL databases that test processes use one after another. They remain on the server for later runs; an
 * advisory lock, which ends with its process, marks those in use.
 */
export class PostgresPool {
  readonly #prefix = `${POOL}${hashMigrations().slice(0, 8)}_`
  /** The databases that this process has locked. */
  readonly #locked = new Set<string>()
  readonly #idle: string[] = []
  #locks: Promise<pg.Client> | undefined
  #isClosed = false

  /** Returns the name of a migrated database without rows, which no other test uses until it is released. */
  async claim(): Promise<string> {
    this.#locks ??= connect(serverUrl)
    const locks = await this.#locks
    const name = this.#idle.pop() ?? (await this.#lock(locks))
    try {
      await prepare(locks, name, this.#prefix)
      return name
    } catch (error) {
      await this.release(name)
      throw error
    }
  }

  /**
   * Makes a database available to the next test of this process, whose own clean-up may still use it. Other processes
   * may use it once this pool is closed.
   */
  async release(name: string): Promise<void> {
    if (this.#isClosed) await this.#unlock(name)
    else this.#idle.push(name)
  }

  /** Makes the databases available to other processes; those still in use when they are released. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const name of this.#idle.splice(0)) await this.#unlock(name)
    if (this.#locked.size === 0) await this.#end()
  }

  async #lock(locks: pg.Client): Promise<string> {
    for (let number = 1; ; number += 1) {
      const name = `${this.#prefix}${number}`
      // The lock of a session can be acquired again by this session.
      if (this.#locked.has(name)) continue
      this.#locked.add(name)
      if (await tryLock(locks, name)) return name
      this.#locked.delete(name)
    }
  }

  async #unlock(name: string): Promise<void> {
    await unlock(await this.#locks, name)
    this.#locked.delete(name)
    if (this.#locked.size === 0) await this.#end()
  }

  async #end(): Promise<void> {
    const locks = this.#locks
    this.#locks = undefined
    await (await locks)?.end()
  }
}

/** Empties a locked database; creates it again if it is missing, incomplete, or a test has changed its schema. */
async function prepare(locks: pg.Client, name: string, prefix: string): Promise<void> {
  const { rows } = await locks.query<{ schema: string | null }>(
    "select shobj_description(oid, 'pg_database') as schema from pg_database where datname = $1",
    [name],
  )
  const schema = rows[0]?.schema
  if (schema) {
    const isEmpty = await runOn(name, async (run) => {
      if ((await schemaOf(name, run)) !== schema) return false
      await deleteRows(run)
      return true
    })
    if (isEmpty) return
  }
  if (rows.length > 0) await dropDatabase(name)
  else await dropOldest(locks, prefix)
  await createDatabase(name)
  await (await openDatabase(optionsFor(name))).destroy()
  const created = await runOn(name, (run) => schemaOf(name, run))
  await runOnServer(`comment on database ${name} is '${created}'`)
}

/** Drops databases of other migrations that are not in use, if there are many. */
async function dropOldest(locks: pg.Client, prefix: string): Promise<void> {
  const { rows } = await locks.query<{ name: string }>(
    'select datname as name from pg_database where starts_with(datname, $1) order by oid',
    [POOL],
  )
  const others = rows.filter(({ name }) => !name.startsWith(prefix))
  for (const { name } of others.slice(0, Math.max(0, rows.length - MAX_DATABASES))) {
    if (!(await tryLock(locks, name))) continue
    await runOnServer(`drop database if exists ${name} with (force)`)
    await unlock(locks, name)
  }
}

async function tryLock(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock(hashtext($1)) as locked', [name])
  return rows[0]?.locked === true
}

async function unlock(client: pg.Client | undefined, name: string): Promise<void> {
  await client?.query('select pg_advisory_unlock(hashtext($1))', [name])
}

/** Ends the connections that a stopped cloud left open, and returns a hash of every table, column, index and trigger. */
async function schemaOf(name: string, run: Run): Promise<string> {
  const rows = await run(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid();
     select string_agg(part, ' ' order by part) as schema from (
       select concat_ws('.', c.relname, c.relkind, a.attname, a.atttypid, a.attnotnull) as part
       from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
       where c.relnamespace = 'public'::regnamespace
       union all
       select concat_ws('.', tgrelid::regclass, tgname) from pg_trigger where not tgisinternal
     ) parts`,
  )
  return createHash('sha256').update(String(rows[0]?.schema)).digest('hex')
}

/** Deletes all rows but those of the migrations and the version, and the entries of the change log that this causes. */
export async function deleteRows(run: Run): Promise<void> {
  // Some tables refer to users without a cascade.
  const tables = await run(
    `select quote_ident(tablename) as name from pg_tables
     where schemaname = 'public' and tablename not like 'schema_migrations%'
       and tablename not in ('changes', 'database_version')
     order by tablename = 'users'`,
  )
  const deletions = tables.map((table) => `delete from ${table.name}`)
  await run([...deletions, 'truncate table changes restart identity'].join(';'))
}

export function optionsFor(name: string): DatabaseOptions {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { databaseUrl: url.href, dataDir: '/nonexistent' }
}

/** Commits in a test database do not wait for the disk: it need not survive a crash of the PostgreSQL server. */
export async function createDatabase(
  name = `glasses_cloud_test_${randomBytes(8).toString('hex')}`,
): Promise<string> {
  await runOnServer(`create database ${name} template template0`)
  await runOnServer(`alter database ${name} set synchronous_commit = off`)
  return name
}

export async function dropDatabase(name: string): Promise<void> {
  await runOnServer(`drop database ${name} with (force)`)
}

/** Runs statements; returns the rows of the last one. */
type Run = (statements: string) => Promise<Record<string, unknown>[]>

export const runOnServer = (statement: string) => runAt(serverUrl, (run) => run(statement))
export const runOn = <Result>(name: string, task: (run: Run) => Promise<Result>) =>
  runAt(optionsFor(name).databaseUrl ?? '', task)

/** Runs a task on a separate connection. */
async function runAt<Result>(url: string, task: (run: Run) => Promise<Result>): Promise<Result> {
  const client = await connect(url)
  try {
    return await task(async (statements) => {
      const results: pg.QueryResult | pg.QueryResult[] = await client.query(statements)
      return [results].flat().at(-1)?.rows ?? []
    })
  } finally {
    await client.end()
  }
}

/** Connects. While all connections of the server are in use, by tests that run at the same time, it tries again. */
async function connect(connectionString: string): Promise<pg.Client> {
  const deadline = performance.now() + CONNECT_TIMEOUT_MS
  for (;;) {
    // Without a server the connection is refused immediately; the timeout is for a busy machine.
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
    try {
      await client.connect()
      return client
    } catch (error) {
      const { code } = error as { readonly code?: string }
      if (code !== TOO_MANY_CONNECTIONS || performance.now() > deadline) throw error
      await delay(100)
    }
  }
}

/** What a database of this server has done since it was created. */
interface DatabaseUse {
  /** Committed transactions: a statement outside a transaction is one. */
  readonly transactions: number
  /** Rows inserted, updated or deleted. */
  readonly rowsWritten: number
}

/** Reads what a database has done. The server counts what a connection did up to 10 s after it became idle. */
export async function readDatabaseUse(name: string): Promise<DatabaseUse> {
  const client = await connect(serverUrl)
  try {
    const { rows } = await client.query(
      `select xact_commit as transactions, tup_inserted + tup_updated + tup_deleted as rows
       from pg_stat_database where datname = $1`,
      [name],
    )
    return { transactions: Number(rows[0]?.transactions), rowsWritten: Number(rows[0]?.rows) }
  } finally {
    await client.end()
  }
}
