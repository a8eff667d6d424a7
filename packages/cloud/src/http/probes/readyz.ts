import { Type } from 'typebox'
import { none } from '../auth/none.ts'
import { endpoint } from '../endpoint.ts'
import { fault } from '../fault.ts'
import type { Readiness } from '../readiness.ts'

/** The server should be given work; while it should not, the answer says why. */
export const readyz = (readiness: Readiness) =>
  endpoint({
    method: 'GET',
    url: '/readyz',
    summary: 'Should this server be given work?',
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
