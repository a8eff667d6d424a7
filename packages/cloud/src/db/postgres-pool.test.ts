import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { FlakyProxy } from '../../test/support/flaky-proxy.ts'
import { UserStore } from '../identity/index.ts'
import { type Database, openDatabase } from './database.ts'
import { DEFAULT_POOL_LIMITS } from './postgres.ts'
import { eachDatabase, type TestDatabase } from './testing.ts'

describe('lost connections', () => {
  eachDatabase((database) => {
    if (database.name === 'PostgreSQL') postgresOnly(database)
  })
})

function postgresOnly({ createEmpty }: TestDatabase): void {
  /** Opens a database with a second pool, which terminates connections of the first. */
  async function open(t: TestContext, limits: Partial<typeof DEFAULT_POOL_LIMITS> = {}) {
    const options = { ...(await createEmpty(t)), pool: { ...DEFAULT_POOL_LIMITS, ...limits } }
    const db = await openDatabase(options)
    const admin = await openDatabase(options)
    t.after(async () => {
      await db.destroy()
      await admin.destroy()
    })
    const terminate = async (pid: number) => {
      await sql`select pg_terminate_backend(${pid}, 5000)`.execute(admin)
    }
    return { db, terminate }
  }

  test('SHARE-70: a connection that is terminated during a transaction fails only that transaction', async (t) => {
    const { db, terminate } = await open(t)
    const users = new UserStore(db)
    await assert.rejects(
      db.transaction().execute(async (trx) => {
        await new UserStore(trx).findOrCreate('ada@example.com', 1)
        await terminate(await backendPid(trx))
        await new UserStore(trx).findOrCreate('eve@example.com', 1)
      }),
      /The connection to PostgreSQL was lost/,
    )
    assert.deepEqual(await users.list(), [])
    assert.ok(await users.findOrCreate('ada@example.com', 1))
  })

  test('SHARE-70: a connection that is terminated before the commit fails the transaction', async (t) => {
    const { db, terminate } = await open(t)
    await assert.rejects(
      db.transaction().execute(async (trx) => {
        await new UserStore(trx).findOrCreate('ada@example.com', 1)
        await terminate(await backendPid(trx))
      }),
      /The connection to PostgreSQL was lost/,
    )
    assert.deepEqual(await new UserStore(db).list(), [])
  })

  test('SHARE-70: a read whose connection was terminated is repeated, a write is not', async (t) => {
    const { db, terminate } = await open(t)
    await db.connection().execute(async (connection) => {
      await terminate(await backendPid(connection))
      assert.deepEqual(await new UserStore(connection).list(), [])
      await terminate(await backendPid(connection))
      await assert.rejects(
        connection.insertInto('deleted_users').values({ email_hash: 'a', deleted_at: 1 }).execute(),
        /The connection to PostgreSQL was lost/,
      )
    })
    const pids = await Promise.all(Array.from({ length: 4 }, () => backendPid(db)))
    await Promise.all([...new Set(pids)].map(terminate))
    assert.deepEqual(await new UserStore(db).list(), [])
  })

  test('SHARE-70: a connection to a server that became read-only is replaced', async (t) => {
    const { db } = await open(t, { connections: 1 })
    const demote = () => sql`set session characteristics as transaction read only`.execute(db)
    const write = (to: Database, hash: string) =>
      to.insertInto('deleted_users').values({ email_hash: hash, deleted_at: 1 }).execute()
    await demote()
    await write(db, 'a')
    await demote()
    await assert.rejects(
      db.transaction().execute((trx) => write(trx, 'b')),
      /The connection to PostgreSQL was lost/,
    )
    await write(db, 'c')
  })

  test('SHARE-70: a connection that is lost while it is opened is opened again', async (t) => {
    const options = await createEmpty(t)
    const proxy = await FlakyProxy.open(t)
    const url = new URL(String(options.databaseUrl))
    proxy.target = new URL(url)
    url.hostname = '127.0.0.1'
    url.port = new URL(proxy.url).port
    const db = await openDatabase({ ...options, databaseUrl: url.href })
    t.after(() => db.destroy())
    const write = (hash: string) =>
      db.insertInto('deleted_users').values({ email_hash: hash, deleted_at: 1 }).execute()
    await write('a')
    proxy.breakNext = 2
    // More than the pool has open, so that it opens others.
    await Promise.all(Array.from({ length: 4 }, () => new UserStore(db).list()))
    assert.equal(proxy.breakNext, 0)
    await write('b')
    // A server that is away is not waited for.
    proxy.target = undefined
    proxy.break()
    await assert.rejects(write('c'), /terminated|lost|ECONNRESET|not queryable/)
  })

  test('STO-67: a statement that exceeds the query timeout rejects and frees its place in the pool', async (t) => {
    const { db } = await open(t, { connections: 1, queryTimeoutMs: 100, statementTimeoutMs: 0 })
    await assert.rejects(sql`select pg_sleep(30)`.execute(db), /timeout/)
    assert.deepEqual(await new UserStore(db).list(), [])
  })

  test('STO-67: the limits of the pool are configurable', async (t) => {
    const { db } = await open(t, { connections: 2, statementTimeoutMs: 1_234 })
    const { rows } = await sql<{
      value: string
    }>`select current_setting('statement_timeout') as value`.execute(db)
    assert.equal(rows[0]?.value, '1234ms')
  })
}

async function backendPid(db: Database): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  return rows[0]?.pid ?? 0
}
