import type { Endpoint } from '../endpoint.ts'
import type { Metrics } from '../metrics.ts'
import type { Readiness } from '../readiness.ts'
import { healthz } from './healthz.ts'
import { metrics as metricsEndpoint } from './metrics.ts'
import { readyz } from './readyz.ts'

/** Collaborators of the probes. */
export interface ProbeDeps {
  readonly readiness: Readiness
  readonly metrics: Metrics
  /** Bearer token that `/metrics` requires; undefined: open. */
  readonly metricsToken?: string | undefined
}

/** Endpoints for operators and orchestrators: liveness, readiness, metrics. */
export function probes({ readiness, metrics, metricsToken }: ProbeDeps): Endpoint[] {
  return [healthz, readyz(readiness), metricsEndpoint(metrics, metricsToken)]
}
