import { AUDIT_ACTIONS, auditEntry } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { administrator } from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { pageQuery, parsePage, toPage, withLookahead } from '../../http/paging.ts'
import { dataResponse } from '../../http/schemas.ts'
import { toIsoString } from '../../time/index.ts'
import type { AuditStore } from './audit-store.ts'

export const auditEndpoints = ({ store }: { readonly store: AuditStore }): Endpoint[] => [
  endpoint({
    method: 'GET',
    url: '/api/admin/audit',
    summary: 'List the acts of administrators, newest first',
    tags: ['administration'],
    style: 'coded',
    auth: administrator,
    audited: [],
    schema: {
      querystring: Type.Object({ action: Type.Optional(Type.Enum([...AUDIT_ACTIONS])), ...pageQuery }),
      response: { 200: dataResponse(Type.Array(auditEntry)) },
    },
    errors: [],
    handler: async ({ query, request, reply }) => {
      const page = parsePage({ limit: 100, ...query })
      const entries = await store.list(withLookahead(page), query.action)
      const visible = toPage(entries, page, ({ id }) => id, { request, reply })
      const data = visible.map(({ at, actor, details, ...entry }) => {
        return { ...entry, at: toIsoString(at), details: { ...details }, ...(actor !== null && { actor }) }
      })
      return { success: true as const, data }
    },
  }),
]
