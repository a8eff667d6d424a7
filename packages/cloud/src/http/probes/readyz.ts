import { Type } from 'typebox'
import { none } from '../auth/none.ts'
import { endpoint } from '../endpoint.ts'
import { fault } from '../fault.ts'
import type { Readiness } from '../readiness.ts'

/** Readiness probe; 503 lists the reasons. */
export const readyz = (readiness: Readiness) =>
  endpoint({
    method: 'GET',
    url: '/readyz',
    summary: 'Readiness probe',
    tags: ['operation'],
    style: 'bare',
    auth: none,
    schema: { response: { 200: Type.Object({ status: Type.Literal('ready') }) } },
    limits: { perMinute: 'unlimited' },
    errors: ['NOT_READY'],
    handler: async () => {
      const reasons = await readiness.reasons()
      if (reasons.length > 0) throw fault('NOT_READY', { extra: { reasons } })
      return { status: 'ready' as const }
    },
  })
