import { Type } from 'typebox'
import { metricsTokenScheme, none } from './auth/open-schemes.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { fault } from './fault.ts'
import type { Metrics } from './metrics.ts'
import type { Readiness } from './readiness.ts'

/** Collaborators of the probes. */
interface ProbeDeps {
  readonly readiness: Readiness
  readonly metrics: Metrics
  /** Bearer token that `/metrics` requires; undefined: open. */
  readonly metricsToken?: string | undefined
}

const shared = {
  method: 'GET',
  tags: ['operation'],
  style: 'bare',
  limits: { perMinute: 'unlimited' },
} as const

/** Endpoints for operators and orchestrators: liveness, readiness, metrics. */
export const probes = ({ readiness, metrics, metricsToken }: ProbeDeps): Endpoint[] => [
  endpoint({
    ...shared,
    url: '/healthz',
    summary: 'Liveness probe',
    auth: none,
    schema: { response: { 200: Type.Object({ status: Type.Literal('ok') }) } },
    errors: [],
    handler: async () => ({ status: 'ok' as const }),
  }),
  endpoint({
    ...shared,
    url: '/readyz',
    summary: 'Readiness probe',
    auth: none,
    schema: { response: { 200: Type.Object({ status: Type.Literal('ready') }) } },
    errors: ['NOT_READY'],
    handler: async () => {
      const reasons = await readiness.reasons()
      if (reasons.length > 0) throw fault('NOT_READY', { extra: { reasons } })
      return { status: 'ready' as const }
    },
  }),
  endpoint({
    ...shared,
    url: '/metrics',
    summary: 'Metrics in the Prometheus text format',
    auth: metricsTokenScheme(metricsToken),
    schema: { response: { 200: Type.String() } },
    media: { contentTypes: ['text/plain'] },
    errors: [],
    // Without personal data.
    handler: async ({ reply }) => reply.type(metrics.contentType).send(await metrics.text()),
  }),
]
