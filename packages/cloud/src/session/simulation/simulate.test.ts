import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulate } from './simulate.ts'

const SCHEDULES = 10_000
/** A seed to replay: `SIM_SEED=123 npm test -- simulate`. */
const replay = process.env.SIM_SEED
/** The same schedules at every run, so that a change is judged by itself; `SIM_FIRST=$RANDOM` tries others. */
const first = Number(process.env.SIM_FIRST ?? 1)

test('SES-20 SES-22 SES-23 SES-24: no schedule of faults breaks a promise of the session', () => {
  if (replay !== undefined) return simulate(Number(replay))
  for (let seed = first; seed < first + SCHEDULES; seed += 1) simulate(seed)
})

test('SES-21: the same seed gives the same run', () => {
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
