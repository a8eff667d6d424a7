import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onPostgres, type TestDatabase } from '../../src/db/testing.ts'
import { startNodes } from '../support/local-nodes.ts'
import { NodeUser } from '../support/node-user.ts'
import {
  redisServerMissing,
  startRedisCluster,
  startSentinel,
  waitForClusterState,
} from '../support/redis-server.ts'
import type { Scope } from '../support/scope.ts'
import type { LocalCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

/** The tests mostly wait for Redis, so they run at the same time. */
const suite = { concurrency: 2, ...(redisServerMissing ? { skip: redisServerMissing } : {}) }

/** Starts two nodes and a user whose app is not on the node that owns the session. */
async function start(t: Scope, database: TestDatabase, env: Readonly<Record<string, string>>) {
  const [owner, other] = (await startNodes(t, database, 2, { env })) as [LocalCloud, LocalCloud]
  const user = await NodeUser.connect(t, owner, { glasses: owner.url, app: [other.url] })
  const { token, packageName } = user
  /** Proves that sockets and requests reach the owner from the other node, which shares its limits. */
  const works = async () => {
    await user.works()
    await waitFor('a call across nodes', async () => {
      const { status } = await other.request('POST', `/api/apps/${packageName}/start`, { token })
      return status === 200
    })
    assert.deepEqual([owner.cloud.sessions.size, other.cloud.sessions.size, user.starts], [1, 0, 1])
  }
  return { owner, other, user, works }
}

describe('kinds of Redis', suite, () => {
  onPostgres((database) => {
    test('NODE-50: two nodes through a failover', async (t) => {
      const { master, replica, env } = await startSentinel(t)
      const { works } = await start(t, database, env)
      await works()
      await master.kill()
      await waitFor('the failover', () =>
        replica.run(async (redis) => (await redis.info('replication')).includes('role:master')),
      )
      await works()
    })

    test('NODE-51: two nodes through the loss of a server', async (t) => {
      const servers = await startRedisCluster(t)
      const env = { REDIS_URL: servers.map(({ url }) => url).join(), REDIS_CLUSTER: 'true' }
      const { works } = await start(t, database, env)
      await works()
      // One to which a node has subscribed, so that messages to it are lost.
      const subscriptions = await Promise.all(
        servers.map((server) => server.run(async (redis) => (await redis.pubsub('CHANNELS')).length)),
      )
      const index = subscriptions.indexOf(Math.max(...subscriptions))
      const [lost, remaining] = [servers[index], servers[(index + 1) % servers.length]]
      assert(lost && remaining)
      await lost.kill()
      await waitForClusterState(remaining, 'fail')
      await lost.start()
      for (const server of servers) await waitForClusterState(server, 'ok')
      await works()
    })
  }, suite)
})
