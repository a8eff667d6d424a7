import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runNodeSchedules } from './run-schedules.ts'
import { simulateNodes } from './simulate-nodes.ts'

test('NODE-40 NODE-41 NODE-42: no schedule of faults violates an invariant of the nodes', () =>
  runNodeSchedules(0, 2))

test('the same seed produces the same run', async () => {
  for (let seed = 1; seed <= 5; seed += 1)
    assert.deepEqual(await simulateNodes(seed), await simulateNodes(seed))
})
