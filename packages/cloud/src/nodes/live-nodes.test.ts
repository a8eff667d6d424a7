import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { VirtualClock } from '../time/testing/virtual-clock.ts'
import { LiveNodes } from './live-nodes.ts'
import type { LiveNode } from './shared-leases.ts'

const HOLDER = 'node-b.1'

test('a node that was used before it was ever listed is reported as lost once its leases are gone', async () => {
  const clock = new VirtualClock()
  const listed: LiveNode[] = []
  const held = { redis: true, database: true }
  const dropped: string[] = []
  const nodes = new LiveNodes({
    clock,
    shared: { list: async () => listed, isHeld: async () => held.redis, block: async () => true },
    store: { isHeld: async () => held.database },
    bus: { nodeId: 'node-a', dropNode: (nodeId) => dropped.push(nodeId) },
  })
  nodes.start()
  const poll = async () => {
    clock.advance(500)
    await turn()
  }
  assert.equal(await nodes.isAlive(HOLDER), true)
  // Redis loses its data, and the node dies, before the leases are read.
  held.redis = false
  await poll()
  assert.deepEqual(dropped, [], 'its lease in the database is still valid')
  held.database = false
  await poll()
  assert.deepEqual(dropped, ['node-b'])
  assert.equal(await nodes.isAlive(HOLDER), false)
  await poll()
  assert.deepEqual(dropped, ['node-b'], 'it was reported twice')
  nodes.stop()
})
