import { auditEntry } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { administrator } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { pageQuery, parsePage, toPage, withLookahead } from '../../http/paging.ts'
import { dataResponse } from '../../http/schemas.ts'
import type { AdministrationEndpointDeps } from './deps.ts'
import { iso } from './schemas.ts'

/** Lists the acts of administrators, newest first. */
export const listAudit = ({ auditStore }: AdministrationEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/admin/audit',
    summary: 'List the acts of administrators, newest first',
    tags: ['administration'],
    style: 'coded',
    auth: administrator,
    schema: {
      querystring: Type.Object(pageQuery),
      response: { 200: dataResponse(Type.Array(auditEntry)) },
    },
    errors: [],
    handler: async ({ query, request, reply }) => {
      const page = parsePage({ limit: 100, ...query })
      const entries = await auditStore.list(withLookahead(page))
      const visible = toPage(entries, page, ({ id }) => id, { request, reply })
      const data = visible.map(({ at, actor, details, ...entry }) => {
        return { ...entry, at: iso(at), details: { ...details }, ...(actor !== null && { actor }) }
      })
      return { success: true as const, data }
    },
  })
