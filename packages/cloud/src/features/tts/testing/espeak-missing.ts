import { skipIfMissing } from '../../../../test/support/optional-part.ts'
import { espeak } from '../espeak.ts'

const problem = await espeak({ voice: undefined }).problem()

/** The reason to skip tests with espeak; false if they run. */
export const espeakMissing = skipIfMissing(
  problem === undefined ? undefined : 'espeak-ng or lame is not installed (apt-get install espeak-ng lame)',
)
