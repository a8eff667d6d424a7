import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareOf } from '../../../test/support/search-share.ts'
import { simulate } from './simulate.ts'

/** `SIM_SCHEDULES=50000` runs more. */
const SCHEDULES = Number(process.env.SIM_SCHEDULES ?? shareOf(6_000))

/** Replays one seed: `SIM_SEED=123 npm test -- session/simulation`. */
const replay = process.env.SIM_SEED

/** Every run uses the same seeds, so that results are comparable. `SIM_FIRST=$RANDOM` tries others. */
const firstSeed = Number(process.env.SIM_FIRST ?? 1)

/** Runs the schedules with even or odd seeds. */
function runHalf(half: 0 | 1): void {
  if (replay !== undefined) return half === 0 ? simulate(Number(replay)) : undefined
  for (let seed = firstSeed + half; seed < firstSeed + SCHEDULES; seed += 2) simulate(seed)
}

test('SES-20 SES-22 SES-23: no schedule of faults violates an invariant of the session', () => runHalf(0))

test('SES-20 SES-24: no other schedule violates one', () => runHalf(1))

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
