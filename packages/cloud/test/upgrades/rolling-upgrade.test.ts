import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { readDatabaseState } from '../../src/db/database-version.ts'
import { openDatabase } from '../../src/db/index.ts'
import { onPostgres } from '../../src/db/testing.ts'
import { startCluster } from '../support/cluster.ts'
import { NodeUser } from '../support/node-user.ts'
import { redisMissing } from '../support/redis.ts'
import { makeNextVersion, THIS_RELEASE } from './next-version.ts'

const WRITE_INTERVAL_MS = 50
/** Settings that each user writes in turn. */
const KEYS = 100

describe('rolling upgrade', { skip: redisMissing }, () => {
  onPostgres((database) => {
    test('UPG-11 UPG-12: three nodes to the next version and back, one at a time, under load', async (t) => {
      const next = makeNextVersion(t)
      const cluster = await startCluster(t, database, 3, { env: { LOG_LEVEL: 'warn' } })
      const users: NodeUser[] = []
      for (const node of cluster.nodes)
        users.push(await NodeUser.connect(t, node, { glasses: cluster.url, app: [cluster.url] }))
      const writers = users.map((user) => new Writer(cluster.url, user))
      for (const writer of writers) writer.start()

      for (const [release, others] of [
        [next, THIS_RELEASE],
        [THIS_RELEASE, next],
      ] as const) {
        for (const index of [0, 1, 2]) {
          const node = cluster.nodes[index]
          assert.ok(node)
          await node.stop()
          await cluster.restart(node, release)
          // With nodes of both versions at first, each user passes events and displays, whichever node owns the session.
          for (const user of users) await user.works()
          const versions = (await cluster.leases()).map(({ version }) => version)
          assert.equal(versions.length, 3)
          assert.equal(versions.filter((version) => version === others.version).length, 2 - index)
        }
      }

      await Promise.all(writers.map((writer) => writer.stop()))
      for (const writer of writers) assert.deepEqual(await writer.lost(), [])
      assert.ok(writers.every(({ acknowledged }) => acknowledged > 10))
      for (const user of users) assert.equal(user.starts, 1, 'no app was started twice')
      const errors = cluster.nodes.flatMap(({ logged }) => logged).filter(({ level }) => Number(level) >= 50)
      assert.deepEqual(errors, [])
      const db = await openDatabase({
        databaseUrl: cluster.nodes[0]?.env.DATABASE_URL,
        dataDir: '/nonexistent',
      })
      t.after(() => db.destroy())
      const { applied, version } = await readDatabaseState(db)
      assert.equal(applied[0], '9001-next-version')
      assert.equal(version?.version, next.version)
    })
  })
})

/** Writes settings of a user one after the other, and remembers which ones the cloud acknowledged. */
class Writer {
  readonly #url: string
  readonly #token: string
  /** The last acknowledged value by key. */
  readonly #stored = new Map<string, number>()
  #isStopped = false
  #running: Promise<void> | undefined
  acknowledged = 0

  constructor(url: string, { token }: NodeUser) {
    this.#url = url
    this.#token = token
  }

  start(): void {
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  /** Returns the keys whose acknowledged value is not stored; an unacknowledged later one may be. */
  async lost(): Promise<string[]> {
    const response = await this.#fetch('GET')
    const { data } = (await response.json()) as { data: { settings: Record<string, number> } }
    return [...this.#stored]
      .filter(([key, value]) => !((data.settings[key] ?? 0) >= value))
      .map(([key]) => key)
  }

  async #run(): Promise<void> {
    for (let value = 1; !this.#isStopped; value += 1) {
      const key = `key_${value % KEYS}`
      const response = await this.#fetch('POST', { settings: { [key]: value } }).catch(() => undefined)
      await response?.body?.cancel()
      if (response?.ok) {
        this.acknowledged += 1
        this.#stored.set(key, value)
      }
      await delay(WRITE_INTERVAL_MS)
    }
  }

  #fetch(method: string, body?: object): Promise<Response> {
    return fetch(`${this.#url}/api/client/user/settings`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    })
  }
}
