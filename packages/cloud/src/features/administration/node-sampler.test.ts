import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import { eachDatabase } from '../../db/testing.ts'
import { Metrics } from '../../http/metrics.ts'
import { VirtualClock } from '../../time/testing/virtual-clock.ts'
import { NodeSampleStore } from './node-sample-store.ts'
import { createNodeSampler } from './node-sampler.ts'

const MINUTE_MS = 60_000
const log = pino({ level: 'silent' })

describe('measurements of nodes', () => {
  eachDatabase((database) => {
    test('ADM-11: a node measures once a minute, and what is older than a day is deleted', async (t) => {
      const db = await database.open(t)
      const [clock, store, metrics] = [
        new VirtualClock(1_700_000_000_000),
        new NodeSampleStore(db),
        new Metrics(),
      ]
      metrics.gauge('user_sessions', 'Live user sessions', () => 7)
      metrics.request('GET', '/before', 200, 0.01)
      const start = (node: string) => {
        const sampler = createNodeSampler({ store, metrics, clock, log, node })
        sampler.start()
        t.after(() => sampler.stop())
        return sampler
      }
      const [one, two] = [start('one'), start('two')]
      const nextMinute = async () => {
        await Promise.all([one.idle(), two.idle()])
        clock.advance(MINUTE_MS)
        await Promise.all([one.idle(), two.idle()])
      }
      const all = () => store.listSince(0, 1)
      await Promise.all([one.idle(), two.idle()])
      assert.deepEqual(await all(), [])

      metrics.request('GET', '/fast', 200, 0.02)
      metrics.request('GET', '/slow', 200, 0.7)
      metrics.request('POST', '/failed', 503, 3)
      metrics.request('GET', '/logs/stream', 200, 3_600)
      await nextMinute()
      const [first, other] = await all()
      assert.deepEqual([first?.node, other?.node], ['one', 'two'])
      assert.deepEqual([first?.requests, first?.failedRequests, first?.slowRequests], [3, 1, 2])
      assert.equal(first?.sessions, 7)
      assert.ok(first && first.memoryBytes > 1_000_000 && first.eventLoop >= 0 && first.eventLoop <= 1)
      await nextMinute()
      const [, , third] = await all()
      assert.equal(third?.requests, 0)
      assert.equal((third?.at ?? 0) - first.at, MINUTE_MS)
      assert.equal((await store.listSince(0, 2)).length, 2)
      assert.equal((await store.listSince(third?.at ?? 0, 1)).length, 2)

      clock.advance(24 * 60 * MINUTE_MS)
      await nextMinute()
      assert.ok((await all()).every(({ at }) => at > first.at + MINUTE_MS))
    })
  })
})
