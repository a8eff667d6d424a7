import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppLogEntry } from '../../api/app-log.ts'
import { judgeHealth } from './app-health.ts'

const entry = (event: string, level: AppLogEntry['level'] = 'info'): AppLogEntry => ({
  id: event,
  at: '2026-03-01T00:00:00.000Z',
  level,
  kind: 'start',
  event,
})

test('what keeps an app from starting comes before how its last start ended', () => {
  const [up, down] = [{ isServerDown: false }, { isServerDown: true }]
  const key = { isSigning: true }
  const stale = { isSigning: false }
  const day = { date: '2026-03-01', users: 2, sessions: 3, errors: 0 }
  const [works, fails] = [
    [entry('stopped'), entry('running')],
    [entry('failed', 'error'), entry('running')],
  ]
  const verdict = (...args: Parameters<typeof judgeHealth>) => judgeHealth(...args).verdict
  assert.equal(verdict(down, [], works, [day]), 'noKey')
  assert.equal(verdict(down, [stale], works, [day]), 'unsigned')
  assert.equal(verdict(down, [key, stale], works, [day]), 'serverDown')
  assert.equal(verdict(up, [key], fails, [day]), 'failed')
  assert.equal(verdict(up, [key], works, []), 'works')
  assert.equal(verdict(up, [key], [], [day]), 'worked')
  assert.equal(verdict(up, [key], [], []), 'unknown')
  const { lastStart, lastError, sessions, users } = judgeHealth(up, [key], fails, [day, day])
  assert.deepEqual([lastStart?.event, lastError?.event, sessions, users], ['failed', 'failed', 6, 2])
})
