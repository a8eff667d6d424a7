import { espeak } from '../espeak.ts'

const problem = await espeak({ voice: undefined }).problem()
if (problem !== undefined && process.env.REQUIRE_SERVICES === '1')
  throw new Error(`espeak is required here (REQUIRE_SERVICES=1): ${problem}`)

/** Why tests with espeak are skipped; false when they run. */
export const espeakMissing: string | false = problem ?? false
