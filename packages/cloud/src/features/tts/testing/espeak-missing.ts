import { espeak } from '../espeak.ts'

const problem = await espeak({ voice: undefined }).problem()
if (problem !== undefined && process.env.REQUIRE_SERVICES === '1')
  throw new Error(`espeak is required here (REQUIRE_SERVICES=1): ${problem}`)

/** The reason to skip tests with espeak; false if they run. */
export const espeakMissing: string | false = problem ?? false
