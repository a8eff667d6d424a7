import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LIVE_TOLERANCE, memoryTrend, RESIDENT_TOLERANCE } from './memory.ts'
import { Latencies, StallWatch, Timeline, WriteLedger } from './records.ts'
import { describeReport } from './report.ts'
import type { SoakReport } from './soak.ts'

const MB = 1_024 * 1_024

/** 40 samples in a time. */
function samples(minutes: number, bytes: (index: number) => number, sessions = (_index: number) => 100) {
  return Array.from({ length: 40 }, (_, index) => ({
    at: (index * minutes * 60_000) / 39,
    bytes: bytes(index),
    sessions: sessions(index),
  }))
}

describe('Soak', () => {
  test('memory is flat unless it grows by 32 MB and 10 % from the second to the last quarter', () => {
    const isFlat = (growthPerSample: number, minutes: number) =>
      memoryTrend(
        samples(minutes, (index) => 200 * MB + index * growthPerSample),
        LIVE_TOLERANCE,
      ).isFlat
    assert.equal(isFlat(0, 30), true)
    assert.equal(isFlat(0.5 * MB, 30), true)
    assert.equal(isFlat(4 * MB, 30), false)
    assert.equal(isFlat(4 * MB, 24), undefined, 'the warm-up is too short')
  })

  test('resident memory may grow by 64 MB and 15 %, because the allocator keeps what was freed', () => {
    const isFlat = (growthPerSample: number) =>
      memoryTrend(
        samples(30, (index) => 400 * MB + index * growthPerSample),
        RESIDENT_TOLERANCE,
      ).isFlat
    assert.equal(isFlat(2 * MB), true)
    assert.equal(isFlat(4 * MB), false)
  })

  test('memory that grows with the sessions of a node is flat, and growth beside it is not', () => {
    const sessions = (index: number) => 100 + 90 * Math.floor(index / 12)
    const trend = (growthPerSample: number, perSession: number) =>
      memoryTrend(
        samples(30, (index) => 200 * MB + sessions(index) * perSession + index * growthPerSample, sessions),
        LIVE_TOLERANCE,
      )
    const taken = trend(0, 0.4 * MB)
    assert.equal(taken.isFlat, true, 'sessions of killed nodes')
    assert.ok(taken.lateBytes - taken.earlyBytes > 32 * MB && Math.abs(taken.growthBytes) < MB)
    assert.equal(trend(4 * MB, 0.4 * MB).isFlat, false)
    assert.equal(trend(4 * MB, -0.1 * MB).isFlat, false, 'sessions take no memory away')
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

  test('a time is calm unless a fault lasts, or ended less than 15 s before it', async () => {
    const timeline = new Timeline()
    const now = Date.now()
    assert.equal(timeline.isCalm(now), true)
    await timeline.record('fault', async () => {
      assert.equal(timeline.isCalm(Date.now()), false, 'it lasts')
    })
    assert.equal(timeline.isCalm(now), false, 'it began meanwhile')
    assert.equal(timeline.isCalm(Date.now() + 14_000, Date.now() + 14_000), false)
    assert.equal(timeline.isCalm(Date.now() + 16_000, Date.now() + 16_000), true)
    assert.equal(timeline.isCalm(now - 2_000, now - 1_000), true, 'before it')
  })

  test('a time in which the machine did not run this process is not calm', () => {
    const timeline = new Timeline()
    let now = Date.now()
    const watch = new StallWatch(timeline, () => now)
    watch.stop()
    now += 900
    watch.look()
    assert.equal(timeline.isCalm(now, now), true, 'a busy moment')
    now += 1_100
    watch.look()
    assert.deepEqual(
      timeline.incidents.map(({ from, until }) => [now - from, until]),
      [[1_100, now]],
    )
    assert.equal(timeline.isCalm(now, now), false)
  })

  test('a fault explains only the errors that it may cause, and they are counted', async () => {
    const timeline = new Timeline()
    await timeline.record('fault', async () => {}, /connection lost/)
    assert.equal(timeline.explains('the connection lost its way'), true)
    assert.equal(timeline.explains('another error'), false)
    assert.deepEqual(
      timeline.incidents.map(({ errors }) => errors),
      [1],
    )
  })

  test('delays are summarized by name', () => {
    const latencies = new Latencies()
    for (let ms = 1; ms <= 100; ms += 1) latencies.add('write', ms)
    const [summary] = latencies.summaries()
    assert.deepEqual([summary?.name, summary?.count, summary?.max], ['write', 100, 100])
    assert.ok(Math.abs((summary?.p50 ?? 0) - 50) <= 1 && (summary?.p99 ?? 0) >= 98)
  })

  test('the report names what was lost and found', () => {
    const report: SoakReport = {
      seed: 1,
      startedAt: new Date(0),
      durationMs: 60_000,
      sessions: 2,
      nodes: 3,
      actions: { button: 3 },
      pressesReceived: 2,
      acknowledgedWrites: 1_000,
      lost: [{ place: 'a restored cloud', keys: ['ada/storage/counter'] }],
      findings: ['node-2: an error'],
      incidents: [{ name: 'node-2 is killed', from: 5_000, until: 7_500, causes: undefined, errors: 0 }],
      scheduledBackups: 1,
      calm: [{ name: 'write', count: 9, p50: 1, p99: 2, max: 3 }],
      disturbed: [],
      lives: [],
      growth: [],
      passed: false,
    }
    const text = describeReport(report)
    assert.match(text, /\*\*Failed\.\*\*/)
    assert.match(text, /\*\*1 are lost\*\*: ada\/storage\/counter/)
    assert.match(text, /- `node-2: an error`/)
    assert.match(text, /\| 00:00:05 \| 2\.5 s \| node-2 is killed \| 0 \|/)
    assert.match(text, /\| write \| 9 \| 1 \| 2 \| 3 \| 0 \| – \| – \| – \|/)
  })
})
