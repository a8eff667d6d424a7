import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readDatabaseState } from '../../src/db/database-version.ts'
import { openDatabase } from '../../src/db/index.ts'
import { onPostgres } from '../../src/db/testing.ts'
import { AcknowledgedWrites } from '../support/acknowledged-writes.ts'
import { startCluster } from '../support/cluster.ts'
import { NodeUser } from '../support/node-user.ts'
import { redisMissing } from '../support/redis.ts'
import { makeNextVersion, THIS_RELEASE } from './next-version.ts'

describe('rolling upgrade', { skip: redisMissing }, () => {
  onPostgres((database) => {
    test('UPG-11 UPG-12: three nodes to the next version and back, one at a time, under load', async (t) => {
      const next = makeNextVersion(t)
      const cluster = await startCluster(t, database, 3, { env: { LOG_LEVEL: 'warn' } })
      const users: NodeUser[] = []
      for (const node of cluster.nodes)
        users.push(await NodeUser.connect(t, node, { glasses: cluster.url, app: [cluster.url] }))
      const writers = await Promise.all(
        users.map(({ token }) => AcknowledgedWrites.start(t, () => cluster.url, token)),
      )
      const db = await openDatabase({
        databaseUrl: cluster.nodes[0]?.env.DATABASE_URL,
        dataDir: '/nonexistent',
      })
      t.after(() => db.destroy())
      const sessions = async () => {
        const rows = await db
          .selectFrom('user_sessions')
          .select(['id', 'user_id'])
          .orderBy('user_id')
          .execute()
        return rows.map(({ id }) => id)
      }
      const started = await sessions()
      assert.equal(started.length, users.length)

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
          assert.deepEqual(await sessions(), started, 'each session is handed over')
          const versions = (await cluster.leases()).map(({ version }) => version)
          assert.equal(versions.length, 3)
          assert.equal(versions.filter((version) => version === others.version).length, 2 - index)
        }
      }

      await Promise.all(writers.map((writer) => writer.stop()))
      for (const writer of writers) {
        const acknowledged = writer.acknowledged()
        assert.ok(acknowledged.size > 10)
        assert.deepEqual(await writer.lost(acknowledged), [])
      }
      for (const user of users) assert.equal(user.starts, 1, 'no app was started twice')
      const errors = cluster.nodes.flatMap(({ logged }) => logged).filter(({ level }) => Number(level) >= 50)
      assert.deepEqual(errors, [])
      const { applied, version } = await readDatabaseState(db)
      assert.equal(applied[0], '9001-next-version')
      assert.equal(version?.version, next.version)
    })
  })
})
