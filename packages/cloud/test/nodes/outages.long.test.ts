import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { S3Server } from '../../src/blobs/testing/s3-server.ts'
import { onPostgres } from '../../src/db/testing.ts'
import { NODE_LEASE_MS } from '../../src/nodes/shared-leases.ts'
import { type NodeProcess, startCluster } from '../support/cluster.ts'
import { FlakyProxy } from '../support/flaky-proxy.ts'
import { NodeUser } from '../support/node-user.ts'
import { RedisServer, redisServerMissing } from '../support/redis-server.ts'
import { type Scope, suiteScope } from '../support/scope.ts'
import { waitFor } from '../support/wait-for.ts'

/** The tests share two nodes and what these depend on, so they run one after another and leave everything running. */
const suite = { concurrency: 1, ...(redisServerMissing ? { skip: redisServerMissing } : {}) }

/** Some calls, of which none may wait for the deadline. */
const CALLS = 5

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('outages of what nodes share', suite, () => {
  onPostgres((database) => {
    const scope = suiteScope()
    let shared: ReturnType<typeof start> | undefined
    const rig = () => {
      shared ??= start(scope)
      return shared
    }

    /** Two nodes on a Redis and an S3 server of their own, and on PostgreSQL behind a proxy. */
    async function start(scope: Scope) {
      const redis = await RedisServer.start(scope)
      const s3 = await S3Server.start()
      scope.after(() => s3.close())
      const direct = new URL(String((await database.createEmpty(scope)).databaseUrl))
      const proxy = await FlakyProxy.open(scope)
      proxy.target = new URL(`http://${direct.hostname}:${direct.port || 5432}`)
      const proxied = new URL(direct)
      proxied.host = new URL(proxy.url).host
      const env = {
        DATABASE_URL: proxied.href,
        DATABASE_QUERY_TIMEOUT_MS: '5000',
        REDIS_URL: redis.url,
        SHARED_DATA_DIR: 'false',
        ...s3.env,
      }
      const cluster = await startCluster(scope, database, 2, { env })
      const [owner, other] = cluster.nodes as readonly [NodeProcess, NodeProcess]
      const client = new pg.Client({ connectionString: direct.href })
      await client.connect()
      scope.after(() => client.end())
      const query = async (sql: string) => (await client.query(sql)).rows as Record<string, unknown>[]
      return { redis, s3, proxy, owner, other, query, databaseName: direct.pathname.slice(1) }
    }

    /** A user whose glasses and app are on the owner of the session, and one whose app is on the other node. */
    async function connectUsers(t: Scope, { owner, other }: Awaited<ReturnType<typeof start>>) {
      const place = { glasses: owner.nodeUrl, app: [owner.nodeUrl] }
      const local = await NodeUser.connect(t, owner, place)
      const relayed = await NodeUser.connect(t, owner, { ...place, app: [other.nodeUrl, owner.nodeUrl] })
      return { local, relayed }
    }

    /** Asserts that the sessions of users kept their owner and that their apps were started once. */
    async function assertUnmoved({ query }: Awaited<ReturnType<typeof start>>, users: readonly NodeUser[]) {
      for (const { email, starts, glasses } of users) {
        const rows = await query(
          `select epoch from user_sessions where user_id = (select id from users where email = '${email}')`,
        )
        assert.deepEqual(
          [Number(rows[0]?.epoch), starts, glasses.messages('connection_ack').length],
          [1, 1, 1],
        )
      }
    }

    const call = async (node: NodeProcess, { token, packageName }: NodeUser, action: string) => {
      const response = await fetch(`${node.nodeUrl}/api/apps/${packageName}/${action}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      })
      await response.arrayBuffer()
      return [response.status, response.headers.get('retry-after') !== null] as const
    }

    test('NODE-34 NODE-35 SET-26: Redis that returns without its data', async (t) => {
      const all = await rig()
      const { redis, other, query } = all
      const { local, relayed } = await connectUsers(t, all)
      await redis.kill()
      await waitFor('the loss of the relayed socket', () => relayed.app.closeCodes.includes(1012))
      for (let index = 0; index < CALLS; index += 1)
        assert.deepEqual(await call(other, local, 'stop'), [503, true])
      const stored = await fetch(`${other.nodeUrl}/api/client/user/settings`, {
        method: 'POST',
        headers: { authorization: `Bearer ${local.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ settings: { brightness: 37 } }),
      })
      assert.equal(stored.status, 200)
      await waitFor('the setting of the app on the owner', () =>
        local.app.frames.some(
          ({ type, settings }) =>
            type === 'augmentos_settings_update' && (settings as { brightness?: number }).brightness === 37,
        ),
      )
      // Until every lease in Redis would have expired.
      const [{ expires } = {}] = await query('select max(expires_at) as expires from node_leases')
      await waitFor('renewals in PostgreSQL', async () => {
        const [row] = await query('select min(expires_at) as expires from node_leases')
        return Number(row?.expires) > Number(expires) + NODE_LEASE_MS
      })
      await local.works()
      assert.deepEqual([local.app.closeCodes, local.app.acknowledgements], [[], 1])
      await redis.start()
      await local.works()
      await relayed.works()
      await waitFor('a call across nodes', async () => (await call(other, local, 'start'))[0] === 200)
      await assertUnmoved(all, [local, relayed])

      // Emptied while it runs: a socket that arrives at another node must not take the session over.
      await redis.run((commands) => commands.flushall())
      relayed.app.socket.terminate()
      await relayed.works()
      await assertUnmoved(all, [local, relayed])
    })

    test('NODE-36: while PostgreSQL is slow, fails over or is away, sessions keep their owner and lose no stored write', async (t) => {
      const all = await rig()
      const { proxy, owner, other, query, databaseName } = all
      const { local, relayed } = await connectUsers(t, all)
      const users = [local, relayed]
      const work = () => Promise.all(users.map((user) => user.works()))
      const rename = async (node: NodeProcess, name: string) => {
        const response = await fetch(`${node.nodeUrl}/api/account/profile`, {
          method: 'PUT',
          headers: { authorization: `Bearer ${local.token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ name }),
        })
        await response.arrayBuffer()
        return response.status
      }
      const nameInDatabase = async () =>
        (await query(`select name from users where email = '${local.email}'`))[0]?.name

      proxy.delayMs = 200
      await work()
      assert.equal(await rename(other, 'slow'), 200)
      assert.equal(await nameInDatabase(), 'slow')
      proxy.delayMs = 0

      const { target } = proxy
      proxy.target = undefined
      proxy.break()
      await query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = '${databaseName}' and pid <> pg_backend_pid()`)
      await waitFor('the expiry of the leases in PostgreSQL', async () => {
        const [row] =
          await query(`select max(expires_at) < extract(epoch from clock_timestamp()) * 1000 as expired
          from node_leases`)
        return row?.expired === true
      })
      await work()
      assert.equal(await rename(owner, 'lost'), 500)
      assert.equal(await nameInDatabase(), 'slow')
      proxy.target = target
      await waitFor('a stored write', async () => (await rename(other, 'after')) === 200)
      assert.equal(await nameInDatabase(), 'after')
      await work()
      await assertUnmoved(all, users)
    })

    test('NODE-37: uploads during an outage', async (t) => {
      const all = await rig()
      const { s3, owner, other, query } = all
      const { local, relayed } = await connectUsers(t, all)
      const upload = async () => {
        const form = new FormData()
        form.set('photo', new Blob([PNG]), 'dot.png')
        form.set('requestId', 'faulty')
        const headers = { authorization: `Bearer ${local.token}` }
        const response = await fetch(`${owner.nodeUrl}/api/photos/upload`, {
          method: 'POST',
          headers,
          body: form,
        })
        return { status: response.status, body: (await response.json()) as { photoUrl?: string } }
      }
      const { port } = s3
      await s3.close()
      assert.equal((await upload()).status, 500)
      await local.works()
      await relayed.works()
      assert.deepEqual(await query('select id from gallery_photos'), [])
      await s3.listen(port)
      const stored = await upload()
      assert.equal(stored.status, 200)
      const path = new URL(String(stored.body.photoUrl)).pathname
      const read = await fetch(other.nodeUrl + path, { headers: { authorization: `Bearer ${local.token}` } })
      assert.deepEqual(Buffer.from(await read.arrayBuffer()), PNG)
      assert.equal(s3.objects.size, 1)
    })

    test('NODE-39: with a slow node everything continues, and nothing is delivered or started twice', async (t) => {
      const all = await rig()
      const { owner, other } = all
      const { local, relayed } = await connectUsers(t, all)
      let isSlow = true
      t.after(() => owner.process.kill('SIGCONT'))
      const slow = async () => {
        while (isSlow) {
          owner.process.kill('SIGSTOP')
          await delay(200)
          owner.process.kill('SIGCONT')
          await delay(200)
        }
      }
      const slowed = slow()
      for (let n = 0; n < 4; n += 1)
        for (const user of [local, relayed]) {
          user.press(`slow ${n}`)
          await waitFor('the button press', () => user.pressed(`slow ${n}`) > 0)
          user.show(`slow ${n}`)
          await waitFor('the text', () => user.shown(`slow ${n}`) > 0)
        }
      await waitFor('a call across nodes', async () => (await call(other, local, 'start'))[0] === 200)
      isSlow = false
      await slowed
      for (const user of [local, relayed]) {
        await user.works()
        for (let n = 0; n < 4; n += 1)
          assert.deepEqual([user.pressed(`slow ${n}`), user.shown(`slow ${n}`)], [1, 1])
      }
      await assertUnmoved(all, [local, relayed])
    })

    test('NODE-32: what waits in the sockets of a frozen owner is neither sent nor written when it wakes up', async (t) => {
      const { owner, other, query } = await rig()
      const place = { glasses: owner.nodeUrl, app: [owner.nodeUrl, other.nodeUrl] }
      const user = await NodeUser.connect(t, owner, place, { reconnect: false })
      owner.process.kill('SIGSTOP')
      t.after(() => owner.process.kill('SIGCONT'))
      const { glasses } = user
      const received = glasses.messages().length
      glasses.pressButton('ghost')
      glasses.send({ type: 'stop_app', packageName: user.packageName })
      user.show('ghost')
      const app = user.app.abandonSocket()
      const closings = [once(app, 'close'), once(glasses, 'close')]
      let appFrames = 0
      app.on('message', () => {
        appFrames += 1
      })
      await user.moveGlasses(t, other.nodeUrl)
      await user.works()
      const rows = async () => {
        const tables = ['users', 'user_sessions', 'running_apps', 'installs', 'user_settings']
        return Promise.all(tables.map((table) => query(`select * from ${table} as row order by row::text`)))
      }
      const before = await rows()
      owner.process.kill('SIGCONT')
      const [[appCode], [{ code }]] = (await Promise.all(closings)) as [[number], [{ code: number }]]
      assert.deepEqual([appCode, code], [1012, 1012])
      await waitFor('its next lease', async () => {
        const held = await query(
          'select holder from node_leases where expires_at > extract(epoch from clock_timestamp()) * 1000',
        )
        return held.length === 2
      })
      await user.works()
      assert.deepEqual(await rows(), before)
      assert.deepEqual([appFrames, glasses.messages().length], [0, received])
      assert.deepEqual([user.pressed('ghost'), user.shown('ghost'), user.starts], [0, 0, 1])
    })
  }, suite)
})
