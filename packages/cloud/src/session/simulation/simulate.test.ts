import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSchedules } from './run-schedules.ts'
import { simulate } from './simulate.ts'

test('SES-20 SES-22: no schedule of faults violates an invariant of the session', () => {
  runSchedules(0, 3)
})

test('the same seed produces the same run', () => {
  const outcome = (seed: number) => {
    try {
      simulate(seed)
      return 'ok'
    } catch (error) {
      return (error as Error).message
    }
  }
  for (let seed = 1; seed <= 20; seed += 1) assert.equal(outcome(seed), outcome(seed))
})
