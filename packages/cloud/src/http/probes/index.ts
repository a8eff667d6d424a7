import { healthz } from './healthz.ts'
import { metrics } from './metrics.ts'
import { readyz } from './readyz.ts'

/** What operators and their tools ask. */
export const probes = [healthz, readyz, metrics]
