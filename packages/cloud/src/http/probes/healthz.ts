import { Type } from 'typebox'
import { none } from '../auth/none.ts'
import { endpoint } from '../endpoint.ts'

/** Liveness probe. */
export const healthz = endpoint({
  method: 'GET',
  url: '/healthz',
  summary: 'Liveness probe',
  tags: ['operation'],
  style: 'bare',
  auth: none,
  schema: { response: { 200: Type.Object({ status: Type.Literal('ok') }) } },
  limits: { perMinute: 'unlimited' },
  errors: [],
  handler: async () => ({ status: 'ok' as const }),
})
