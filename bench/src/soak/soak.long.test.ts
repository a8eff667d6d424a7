import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { redisServerMissing } from '@glasses-cloud/cloud/test/redis-server'
import { runSoak, type SoakReport } from './soak.ts'

function assertPassed(report: SoakReport): void {
  assert.deepEqual(report.findings, [])
  for (const { place, keys } of report.lost) assert.deepEqual(keys, [], place)
  assert.equal(report.lost.length, 2)
  assert.ok(report.acknowledgedWrites > 0, 'writes were acknowledged')
  assert.ok(Object.keys(report.actions).length > 5, JSON.stringify(report.actions))
  assert.ok(report.pressesReceived > 0)
  assert.equal(report.passed, true)
}

describe('Soak', () => {
  test('a short soak of one node passes', { timeout: 240_000 }, async () => {
    const report = await runSoak({ durationMs: 10_000, sessions: 20, nodes: 1, seed: 7, faultEveryMs: 1_000 })
    assertPassed(report)
    assert.ok(report.incidents.length > 1)
  })

  test('a short soak of three nodes passes', { timeout: 400_000, skip: redisServerMissing }, async () => {
    const report = await runSoak({ durationMs: 40_000, sessions: 10, nodes: 3, seed: 7, faultEveryMs: 500 })
    assertPassed(report)
    const faults = new Set(report.incidents.map(({ name }) => name))
    assert.ok(faults.size > 3, [...faults].join(', '))
  })
})
