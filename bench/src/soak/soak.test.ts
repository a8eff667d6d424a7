import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { memoryTrend } from './memory-trend.ts'
import { runSoak } from './soak.ts'
import { WriteLedger } from './write-ledger.ts'

const MB = 1_024 * 1_024

describe('Soak', () => {
  test('a short soak passes', { timeout: 240_000 }, async () => {
    const report = await runSoak({ durationMs: 6_000, sessions: 5, seed: 7 })
    assert.deepEqual(report.logErrors, [])
    assert.deepEqual(report.serverErrors, [])
    assert.deepEqual(report.lostWrites, [])
    assert.ok(report.acknowledgedWrites > 0, 'writes were acknowledged')
    assert.ok(Object.keys(report.actions).length > 5, JSON.stringify(report.actions))
    assert.equal(report.passed, true)
  })

  test('memory is flat unless the last quarter exceeds the second by 32 MB and 10 %', () => {
    const samples = (growthPerSample: number) =>
      Array.from({ length: 40 }, (_, index) => 200 * MB + index * growthPerSample)
    const isFlat = (growthPerSample: number, minutes: number) =>
      memoryTrend(samples(growthPerSample), minutes * 60_000).isFlat
    assert.equal(isFlat(0, 30), true)
    assert.equal(isFlat(0.5 * MB, 30), true)
    assert.equal(isFlat(4 * MB, 30), false)
    assert.equal(isFlat(4 * MB, 7), undefined, 'the warm-up is too short')
  })

  test('an acknowledged write is lost if neither it nor a later attempt is stored', async () => {
    const ledger = new WriteLedger()
    const fail = () => Promise.reject(new Error('no response'))
    await ledger.record('a', '1', async () => {})
    assert.equal(ledger.isLost('a', undefined), true)
    assert.equal(ledger.isLost('a', '0'), true)
    assert.equal(ledger.isLost('a', '1'), false)
    await assert.rejects(ledger.record('a', '2', fail))
    assert.equal(ledger.isLost('a', '1'), false)
    assert.equal(ledger.isLost('a', '2'), false)
    assert.equal(ledger.isLost('a', undefined), true)
    await assert.rejects(ledger.record('b', '1', fail))
    assert.equal(ledger.isLost('b', undefined), false)
    assert.equal(ledger.acknowledgedWrites, 1)
  })
})
