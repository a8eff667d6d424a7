import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onPostgres } from '../../src/db/testing.ts'
import { bearer, SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { startAppServer } from '../support/app-server.ts'
import { startNodes } from '../support/cluster.ts'
import { FlakyProxy } from '../support/flaky-proxy.ts'
import { RedisServer, redisServerMissing } from '../support/redis-server.ts'
import { startCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'
import { prometheusMissing } from './prometheus-process.ts'
import { startPrometheus } from './prometheus-server.ts'

const APP = 'dev.example.failing'
const METRICS_TOKEN = 'a-token-for-metrics-in-tests'

describe('alerts of a real Prometheus', { skip: prometheusMissing || redisServerMissing }, () => {
  test('Prometheus fires only the alerts of an app that fails and of a node that goes down', async (t) => {
    const cloud = await startCloud(t, { env: { METRICS_TOKEN } })
    const prometheus = await startPrometheus(t, new URL(cloud.url).host, METRICS_TOKEN)
    await prometheus.waitForNone()

    const server = await startAppServer(t, APP)
    server.behavior = 500
    await cloud.registerApp({ packageName: APP, publicUrl: server.url })
    const token = await cloud.token('wearer@example.com')
    const glasses = await SocketClient.open(t, `${cloud.wsUrl}/glasses-ws`, bearer(token))
    await glasses.next('connection_ack')
    await cloud.request('POST', `/api/apps/install/${APP}`, { token })
    await waitFor('the alert', async () => {
      await cloud.request('POST', `/api/apps/${APP}/start`, { token })
      return (await prometheus.firing()).includes('GlassesCloudAppsFailing')
    })
    const { annotations } = await prometheus.waitForAlert('GlassesCloudAppsFailing')
    assert.equal(annotations.runbook_url, 'https://docs.example.org/monitoring.md#glassescloudappsfailing')

    await cloud.stop()
    await prometheus.waitForAlert('GlassesCloudNodeDown')
    await prometheus.waitForAlert('GlassesCloudDown')
  })

  onPostgres((database) => {
    test('Prometheus fires only the alerts of Redis and of the database when they stop', async (t) => {
      const redis = await RedisServer.start(t)
      const proxy = await FlakyProxy.open(t)
      const direct = new URL(String((await database.acquire(t)).databaseUrl))
      proxy.target = new URL(`http://${direct.hostname}:${direct.port || 5432}`)
      const proxied = new URL(direct)
      proxied.host = new URL(proxy.url).host
      const [cloud] = await startNodes(t, database, ['node-1'], {
        env: { METRICS_TOKEN, DATABASE_URL: proxied.href, REDIS_URL: redis.url },
      })
      const prometheus = await startPrometheus(t, new URL(cloud.url).host, METRICS_TOKEN)
      await prometheus.waitForNone()

      await redis.kill()
      await prometheus.waitForAlert('GlassesCloudRedisUnreachable')
      const { labels } = await prometheus.waitForAlert('GlassesCloudLeaseAtRisk')
      assert.deepEqual([labels.place, labels.node], ['redis', 'node-1'])
      assert.deepEqual(await prometheus.firing(), ['GlassesCloudLeaseAtRisk', 'GlassesCloudRedisUnreachable'])

      const target = proxy.target
      proxy.target = undefined
      proxy.break()
      await prometheus.waitForAlert('GlassesCloudDatabaseUnreachable')
      await prometheus.waitForAlert('GlassesCloudLeaseLost')
      proxy.target = target
      await redis.start()
    })
  })
})
