import { Type } from 'typebox'
import { none } from '../auth/none.ts'
import { endpoint } from '../endpoint.ts'

/** Numbers for Prometheus. They name no user, app or address. */
export const metrics = endpoint({
  method: 'GET',
  url: '/metrics',
  summary: 'Numbers in the Prometheus text format',
  tags: ['operation'],
  style: 'bare',
  auth: none,
  schema: { response: { 200: Type.String() } },
  media: { answers: ['text/plain'] },
  limits: { perMinute: 'unlimited' },
  errors: [],
  handler: async ({ services, reply }) =>
    reply.type(services.metrics.contentType).send(await services.metrics.text()),
})
