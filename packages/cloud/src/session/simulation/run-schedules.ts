import { simulate } from './simulate.ts'

/** Schedules in total, which the test files share, so that they run on several cores. `SIM_SCHEDULES=50000` runs more. */
const SCHEDULES = Number(process.env.SIM_SCHEDULES ?? 6_000)

/** Replays one seed: `SIM_SEED=123 npm test -- session/simulation`. */
const replay = process.env.SIM_SEED

/** Every run uses the same seeds, so that results are comparable. `SIM_FIRST=$RANDOM` tries others. */
const firstSeed = Number(process.env.SIM_FIRST ?? 1)

/**
 * Runs a part of the schedules.
 * @param part from 0
 * @throws Error like `simulate`
 */
export function runSchedules(part: number, parts: number): void {
  if (replay !== undefined) return part === 0 ? simulate(Number(replay)) : undefined
  const size = Math.ceil(SCHEDULES / parts)
  for (let index = 0; index < size; index += 1) simulate(firstSeed + part * size + index)
}
