import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulate } from './simulate.ts'

const SCHEDULES = 10_000
/** Replays one seed: `SIM_SEED=123 npm test -- simulate`. */
const replay = process.env.SIM_SEED
/** Every run uses the same seeds, so that results are comparable. `SIM_FIRST=$RANDOM` tries others. */
const firstSeed = Number(process.env.SIM_FIRST ?? 1)

test('SES-20 SES-22 SES-23 SES-24: no schedule of faults violates an invariant of the session', () => {
  if (replay !== undefined) return simulate(Number(replay))
  for (let seed = firstSeed; seed < firstSeed + SCHEDULES; seed += 1) simulate(seed)
})

test('SES-21: the same seed produces the same run', () => {
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
