import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phasesOf } from './start-phases.ts'

const phasesAt = (...moments: Parameters<typeof phasesOf>[0]) =>
  phasesOf(moments).map(({ kind, from, to }) => [kind, from, to])

test('each phase of a start begins where the one before it ended', () => {
  assert.deepEqual(
    phasesAt(
      { at: 1_000, kind: 'requested' },
      { at: 1_010, kind: 'starting' },
      { at: 1_020, kind: 'webhook', durationMs: 100 },
      { at: 1_150, kind: 'socket' },
      { at: 1_180, kind: 'running' },
      { at: 1_200, kind: 'answered' },
      { at: 1_260, kind: 'display' },
    ),
    [
      ['request', 0, 10],
      ['webhook', 20, 120],
      ['socket', 120, 150],
      ['running', 150, 180],
      ['response', 180, 200],
      ['content', 180, 260],
    ],
  )
})

test('a start without log, and one that failed, have the phases that are known', () => {
  assert.deepEqual(phasesAt({ at: 5, kind: 'starting' }, { at: 45, kind: 'running' }), [['running', 0, 40]])
  assert.deepEqual(
    phasesAt(
      { at: 0, kind: 'requested' },
      { at: 10, kind: 'webhook', durationMs: 20 },
      { at: 12, kind: 'starting' },
      { at: 90, kind: 'webhook', durationMs: 30 },
      { at: 130, kind: 'failed' },
    ),
    [
      ['request', 0, 10],
      ['webhook', 10, 30],
      ['webhook', 90, 120],
      ['failure', 120, 130],
    ],
  )
})
