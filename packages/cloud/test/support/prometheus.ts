import { findProgram } from '../../src/config/index.ts'
import { skipIfMissing } from './optional-part.ts'

/** Why tests with Prometheus are skipped; false if its programs are installed. */
export const prometheusMissing = skipIfMissing(
  findProgram('prometheus') === undefined || findProgram('promtool') === undefined
    ? 'prometheus is not installed (apt-get install prometheus)'
    : undefined,
)
