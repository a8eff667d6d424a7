import { Type } from 'typebox'
import { none } from '../auth/none.ts'
import { endpoint } from '../endpoint.ts'
import type { Metrics } from '../metrics.ts'

/** Metrics for Prometheus, without personal data. */
export const metrics = (metrics: Metrics) =>
  endpoint({
    method: 'GET',
    url: '/metrics',
    summary: 'Metrics in the Prometheus text format',
    tags: ['operation'],
    style: 'bare',
    auth: none,
    schema: { response: { 200: Type.String() } },
    media: { contentTypes: ['text/plain'] },
    limits: { perMinute: 'unlimited' },
    errors: [],
    handler: async ({ reply }) => reply.type(metrics.contentType).send(await metrics.text()),
  })
