import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { isDiskFull } from '../blobs/index.ts'
import { readConfig, VERSION } from '../config/index.ts'
import { UserStore } from '../identity/index.ts'
import { DATABASE_FILE, type Database, type DatabaseOptions, openDatabase, pingDatabase } from './database.ts'
import { readDatabaseState } from './database-version.ts'
import { migrations } from './migrations/index.ts'
import { isUniqueViolation } from './queries.ts'
import { eachDatabase } from './testing.ts'
import { type ChildTask, jobs } from './testing-jobs.ts'

describe('database', () => {
  eachDatabase(({ name, createEmpty, open }) => {
    test('STO-1: several processes can open a new database at the same time', async (t) => {
      const options = await createEmpty(t)
      const children = Array.from({ length: 4 }, () => startChild(t, { options }))
      for (const child of children) assert.equal(await child.nextOutput(), 'open\n')
    })

    test('STO-1: opening a database again changes nothing', async (t) => {
      const options = await createEmpty(t)
      const first = await openDatabase(options)
      const user = await new UserStore(first).findOrCreate('ada@example.com', 1)
      await first.destroy()
      const second = await openDatabase(options)
      assert.deepEqual(await new UserStore(second).findById(user.id), user)
      await second.destroy()
    })

    test('STO-88: a write without space on the disk fails as such, also in a transaction', async (t) => {
      if (name !== 'SQLite') return
      const db = await openDatabase(await createEmpty(t))
      t.after(() => db.destroy())
      await new UserStore(db).findOrCreate('ada@example.com', 1)
      await sql`pragma max_page_count = 1`.execute(db)
      const fill = (trx: Database) =>
        sql`create table filler as select zeroblob(1000000) as bytes`.execute(trx)
      await assert.rejects(fill(db), isDiskFull)
      await assert.rejects(db.transaction().execute(fill), isDiskFull)
      // A file system without space makes SQLite itself roll back.
      const fillDisk = async (trx: Database) => {
        await sql`rollback`.execute(trx)
        await fill(trx)
      }
      await assert.rejects(db.transaction().execute(fillDisk), isDiskFull)
      await sql`pragma max_page_count = 1000000`.execute(db)
      await db.transaction().execute(fill)
    })

    test('UPG-14: with every migration from before 1.0.0 it has the base, also if several processes open it at once', async (t) => {
      const options = await createEmpty(t)
      const db = await openDatabase(options)
      t.after(() => db.destroy())
      await new UserStore(db).findOrCreate('ada@example.com', 1)
      await recordFormer(db, FORMER)
      await sql`alter table running_apps drop column failed_sessions`.execute(db)
      assert.deepEqual((await readDatabaseState(db)).applied, ['0001-base'])
      const children = Array.from({ length: 2 }, () => startChild(t, { options }))
      for (const child of children) assert.equal(await child.nextOutput(), 'open\n')
      assert.deepEqual(await recordedIn(db), Object.keys(migrations))
      assert.ok(await new UserStore(db).findByEmail('ada@example.com'))
    })

    test('UPG-14: a database that lacks some of these is refused, and unchanged', async (t) => {
      const options = await createEmpty(t)
      const db = await openDatabase(options)
      t.after(() => db.destroy())
      for (const lacking of ['0044-wake-words', '0007-x']) {
        const names = FORMER.filter((name) => name !== lacking)
        await recordFormer(db, names)
        await assert.rejects(
          openDatabase(options),
          /before version 1\.0\.0 and lacks migrations.*Nothing was changed\. Start the last commit that has them/,
        )
        assert.deepEqual(await recordedIn(db), names)
      }
    })

    test('opening a database that is current waits for no writer', async (t) => {
      const options = await createEmpty(t)
      const db = await openDatabase(options)
      t.after(() => db.destroy())
      const writing = await db.startTransaction().execute()
      await writing.updateTable('users').set({ name: 'locked' }).execute()
      await sql`update schema_migrations_lock set is_locked = is_locked`.execute(writing)
      const second = await openDatabase(options)
      await second.destroy()
      await writing.rollback().execute()
    })

    test('STO-3: a committed row survives SIGKILL of the process that wrote it', async (t) => {
      const options = await createEmpty(t)
      const child = startChild(t, { options, job: 'user' })
      assert.equal(await child.nextOutput(), 'open\n')
      child.begin()
      assert.equal(await child.nextOutput(), 'done\n')
      await child.kill()
      const db = await openDatabase(options)
      t.after(() => db.destroy())
      assert.ok(await new UserStore(db).findByEmail('child@example.com'))
    })

    test('STO-4: two processes write to one database at the same time without lost writes', async (t) => {
      const db = await alongsideChild(t, await createEmpty(t), 'fields')
      const shared = await new UserStore(db).findByEmail('shared@example.com')
      assert.equal(Object.keys(shared?.profile ?? {}).length, 60)
    })

    test('a failed transaction changes nothing', async (t) => {
      const db = await open(t)
      const users = new UserStore(db)
      await assert.rejects(
        db.transaction().execute(async (trx) => {
          await new UserStore(trx).findOrCreate('ada@example.com', 1, 'same')
          await new UserStore(trx).findOrCreate('eve@example.com', 1, 'same')
        }),
        isUniqueViolation,
      )
      assert.deepEqual(await users.list(), [])
    })

    test('unique violations are distinguished from other errors', async (t) => {
      const db = await open(t)
      await new UserStore(db).findOrCreate('ada@example.com', 1, 'a')
      const primaryKey = await failure(new UserStore(db).findOrCreate('eve@example.com', 1, 'a'))
      const unique = await failure(insertUser(db, 'b', 'ada@example.com'))
      const foreignKey = await failure(
        db.insertInto('user_sessions').values({ id: 's', user_id: 'nobody', created_at: 1 }).execute(),
      )
      const syntax = await failure(sql`selec`.execute(db))
      assert.deepEqual([primaryKey, unique].map(isUniqueViolation), [true, true])
      assert.deepEqual([foreignKey, syntax, undefined, 'text'].map(isUniqueViolation), [
        false,
        false,
        false,
        false,
      ])
    })

    test('pingDatabase resolves for an open database and rejects for a closed one', async (t) => {
      const options = await createEmpty(t)
      const db = await openDatabase(options)
      await pingDatabase(db)
      await db.destroy()
      await assert.rejects(pingDatabase(db))
    })

    if (name === 'SQLite') sqliteOnly(createEmpty)
    else postgresOnly(createEmpty)
  })
})

type Place = Parameters<Parameters<typeof eachDatabase>[0]>[0]['createEmpty']

function sqliteOnly(createEmpty: Place): void {
  test('STO-4: a transaction that starts with a read can write while another process writes', async (t) => {
    const db = await alongsideChild(t, await createEmpty(t), 'count')
    assert.equal((await new UserStore(db).findByEmail('shared@example.com'))?.updatedAt, 201)
  })

  test('STO-8: the database files are accessible by their owner only', async (t) => {
    const { dataDir } = await createEmpty(t)
    const data = join(dataDir, 'data')
    const db = await openDatabase({ dataDir: data })
    t.after(() => db.destroy())
    await new UserStore(db).findOrCreate('ada@example.com', 1)
    assert.equal(statSync(data).mode & 0o777, 0o700)
    const files = readdirSync(data).sort()
    assert.deepEqual(files, [DATABASE_FILE, `${DATABASE_FILE}-shm`, `${DATABASE_FILE}-wal`])
    for (const file of files) assert.equal(statSync(join(data, file)).mode & 0o777, 0o600, file)
  })

  test('STO-3: commits are durable, and foreign keys are enforced', async (t) => {
    const db = await openDatabase(await createEmpty(t))
    t.after(() => db.destroy())
    const pragma = async (name: string) => {
      const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db)
      return Object.values(rows[0] ?? {})[0]
    }
    assert.equal(await pragma('journal_mode'), 'wal')
    assert.equal(await pragma('synchronous'), 2)
    assert.equal(await pragma('foreign_keys'), 1)
    assert.equal(await pragma('busy_timeout'), 5000)
  })

  test('STO-9: an invalid database file is rejected with its path', async (t) => {
    const options = await createEmpty(t)
    writeFileSync(
      join(options.dataDir, DATABASE_FILE),
      'not a database, but long enough to be read'.repeat(50),
    )
    await assert.rejects(
      openDatabase(options),
      /The database file .*glasses-cloud\.db cannot be opened: file is not a database\. Replace it with a backup.*DATA_DIR/,
    )
  })

  test('more statements than the cache can contain still work', async (t) => {
    const db = await openDatabase(await createEmpty(t))
    t.after(() => db.destroy())
    for (let n = 0; n < 600; n++) {
      const { rows } = await sql<{ n: number }>`select ${sql.lit(n % 300)} as n`.execute(db)
      assert.equal(rows[0]?.n, n % 300)
    }
  })
}

function postgresOnly(createEmpty: Place): void {
  test('STO-9: the error for an unavailable server names the server, but not the password', async () => {
    const databaseUrl = 'postgres://user:hush-hush@127.0.0.1:1/cloud'
    const error = await failure(openDatabase({ databaseUrl, dataDir: '/nonexistent' }))
    assert.match(String(error), /PostgreSQL at 127\.0\.0\.1:1\/cloud is not available.*DATABASE_URL/)
    assert.doesNotMatch(String(error), /hush-hush/)
  })

  test('STO-87: the server may be named by the folder of its socket', async (t) => {
    const options = await createEmpty(t)
    const db = await openDatabase(options)
    const { rows } = await sql<{ folders: string }>`
      select current_setting('unix_socket_directories') as folders`.execute(db)
    await db.destroy()
    const url = new URL(String(options.databaseUrl))
    const folder = rows[0]?.folders.split(',')[0]
    if (!folder || !existsSync(join(folder, `.s.PGSQL.${url.port || 5432}`)))
      return t.skip('PostgreSQL has no socket on this machine')
    const DATABASE_URL = `postgres://${url.username}:${url.password}@${url.pathname}?host=${folder}&port=${url.port}`
    const bySocket = await openDatabase({
      ...options,
      databaseUrl: readConfig({ DATABASE_URL }).data.databaseUrl,
    })
    t.after(() => bySocket.destroy())
    const { rows: clients } = await sql<{ address: string | null }>`
      select client_addr as address from pg_stat_activity where pid = pg_backend_pid()`.execute(bySocket)
    assert.equal(clients[0]?.address, null)
  })

  test('STO-8: queries have a timeout, and connections an application name', async (t) => {
    const db = await openDatabase(await createEmpty(t))
    t.after(() => db.destroy())
    const setting = async (name: string) => {
      const { rows } = await sql<{ value: string }>`select current_setting(${name}) as value`.execute(db)
      return rows[0]?.value
    }
    assert.equal(await setting('statement_timeout'), '30s')
    assert.equal(await setting('idle_in_transaction_session_timeout'), '5s')
    assert.equal(await setting('application_name'), `glasses-cloud ${VERSION}`)
  })
}

/** Runs a job in this process and in a child process at the same time, after both have opened the database. */
async function alongsideChild(
  t: TestContext,
  options: DatabaseOptions,
  job: keyof typeof jobs,
): Promise<Database> {
  const child = startChild(t, { options, job })
  assert.equal(await child.nextOutput(), 'open\n')
  const db = await openDatabase(options)
  t.after(() => db.destroy())
  child.begin()
  await jobs[job](db, 'parent')
  assert.equal(await child.nextOutput(), 'done\n')
  return db
}

/** Starts a process that opens the database, and runs its job on `begin`. */
function startChild(t: TestContext, task: ChildTask) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'testing-jobs.ts'), JSON.stringify(task)])
  t.after(() => child.kill('SIGKILL'))
  const stderr = text(child.stderr)
  const failed = once(child, 'exit').then(() => stderr)
  const output = on(child.stdout, 'data', { signal: AbortSignal.timeout(20_000) })
  return {
    begin: () => child.stdin.write('begin\n'),
    /** Resolves with its next output, or with stderr if it exits. */
    nextOutput: async () => Promise.race([output.next().then(({ value }) => String(value)), failed]),
    kill: async () => {
      child.kill('SIGKILL')
      await failed
    },
  }
}

async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => assert.fail('expected a rejection'),
    (error: unknown) => error,
  )
}

function insertUser(db: Database, id: string, email: string): Promise<unknown> {
  const row = { id, email, name: '', profile: '{}', tokens_valid_from: 0, created_at: 1, updated_at: 1 }
  return db.insertInto('users').values(row).execute()
}

/** As many names as there were before version 1.0.0, from the first to the last. */
const FORMER = [
  '0001-initial',
  ...Array.from({ length: 41 }, (_, n) => `${String(n + 2).padStart(4, '0')}-x`),
  '0044-wake-words',
]

/** Records migrations instead of those that were recorded. */
async function recordFormer(db: Database, names: readonly string[]): Promise<void> {
  await sql`delete from schema_migrations`.execute(db)
  for (const name of names)
    await sql`insert into schema_migrations (name, timestamp) values (${name}, '2026-01-01T00:00:00Z')`.execute(
      db,
    )
}

async function recordedIn(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from schema_migrations order by name`.execute(db)
  return rows.map(({ name }) => name)
}
