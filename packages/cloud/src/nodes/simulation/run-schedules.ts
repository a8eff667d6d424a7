import { simulateNodes } from './simulate-nodes.ts'

/** Schedules in total, which the test files share, so that they run at the same time. `SIM_SCHEDULES=50000` runs more. */
const SCHEDULES = Number(process.env.SIM_SCHEDULES ?? 3_000)

/** Schedules that run side by side: a turn of the event loop serves all of them. */
const SIDE_BY_SIDE = 8

/** Replays one seed: `SIM_SEED=123 npm test -- nodes/simulation`. */
const replay = process.env.SIM_SEED

/** Every run uses the same seeds, so that results are comparable. `SIM_FIRST=$RANDOM` tries others. */
const firstSeed = Number(process.env.SIM_FIRST ?? 1)

/**
 * Runs a part of the schedules.
 * @param part from 0
 * @throws Error like `simulateNodes`
 */
export async function runNodeSchedules(part: number, parts: number): Promise<void> {
  if (replay !== undefined) {
    if (part === 0) await simulateNodes(Number(replay))
    return
  }
  const size = Math.ceil(SCHEDULES / parts)
  const end = firstSeed + (part + 1) * size
  let next = firstSeed + part * size
  const run = async () => {
    while (next < end) await simulateNodes(next++)
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
