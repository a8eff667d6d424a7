import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareOf } from '../../../test/support/search-share.ts'
import { simulateNodes } from './simulate-nodes.ts'

/** `SIM_SCHEDULES=50000` runs more. */
const SCHEDULES = Number(process.env.SIM_SCHEDULES ?? shareOf(3_000))

/** Schedules that run side by side: a turn of the event loop serves all of them. */
const SIDE_BY_SIDE = 8

/** Replays one seed: `SIM_SEED=123 npm test -- nodes/simulation`. */
const replay = process.env.SIM_SEED

/** Every run uses the same seeds, so that results are comparable. `SIM_FIRST=$RANDOM` tries others. */
const firstSeed = Number(process.env.SIM_FIRST ?? 1)

/** Runs the schedules with even or odd seeds. */
async function runHalf(half: 0 | 1): Promise<void> {
  if (replay !== undefined) {
    if (half === 0) await simulateNodes(Number(replay))
    return
  }
  let next = firstSeed + half
  const run = async () => {
    for (let seed = next; seed < firstSeed + SCHEDULES; seed = next) {
      next += 2
      await simulateNodes(seed)
    }
  }
  // Errors are frequent here, and the traces of their stacks take a tenth of the time.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, run))
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

test('NODE-40 NODE-41 NODE-42: no schedule of faults violates an invariant of the nodes', () => runHalf(0))

test('NODE-43 NODE-44: no other schedule violates one', () => runHalf(1))

test('the same seed produces the same run', async () => {
  for (let seed = 1; seed <= 5; seed += 1)
    assert.deepEqual(await simulateNodes(seed), await simulateNodes(seed))
})
