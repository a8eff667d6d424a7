import { Type } from 'typebox'
import { metricsToken } from '../auth/metrics-token.ts'
import { endpoint } from '../endpoint.ts'
import type { Metrics } from '../metrics.ts'

/** Metrics for Prometheus, without personal data. */
export const metrics = (metrics: Metrics, token: string | undefined) =>
  endpoint({
    method: 'GET',
    url: '/metrics',
    summary: 'Metrics in the Prometheus text format',
    tags: ['operation'],
    style: 'bare',
    auth: metricsToken(token),
    schema: { response: { 200: Type.String() } },
    media: { contentTypes: ['text/plain'] },
    limits: { perMinute: 'unlimited' },
    errors: [],
    handler: async ({ reply }) => reply.type(metrics.contentType).send(await metrics.text()),
  })
