import { type AdminReport, adminReport } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { administrator } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { dataResponse } from '../console/index.ts'
import type { AdminEndpointDeps } from './deps.ts'
import { iso, tags } from './schemas.ts'

const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default: 50' }))

/** Lists feedback and errors that phones reported, newest first. */
export const listReports = ({ reports }: AdminEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/admin/reports',
    summary: 'List feedback and errors that phones reported',
    tags,
    style: 'envelope',
    auth: administrator,
    schema: {
      querystring: Type.Object({ limit }),
      response: { 200: dataResponse(Type.Array(adminReport)) },
    },
    errors: [],
    handler: async ({ query }) => {
      const found = await reports.listNewest(query.limit ?? 50)
      const data = found.map(({ id, kind, sender, createdAt, content }): AdminReport => {
        return { id, kind, ...(sender !== null && { email: sender }), createdAt: iso(createdAt), content }
      })
      return { success: true as const, data }
    },
  })

/** Lists incidents with their logs and attachments, newest first. */
export const listIncidents = ({ incidents }: AdminEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/admin/incidents',
    summary: 'List incidents with their logs',
    tags,
    style: 'envelope',
    auth: administrator,
    schema: {
      querystring: Type.Object({ limit }),
      response: { 200: dataResponse(Type.Array(adminReport)) },
    },
    errors: [],
    handler: async ({ query }) => {
      const data: AdminReport[] = []
      for (const incident of await incidents.listNewest(query.limit ?? 50)) {
        const { id, sender, userId: _, createdAt, ...content } = incident
        const [logs, files] = [await incidents.logsOf(id), await incidents.filesOf(id)]
        const report = { id, kind: 'incident' as const, email: sender, createdAt: iso(createdAt) }
        data.push({ ...report, content: { ...content, logs, files } })
      }
      return { success: true as const, data }
    },
  })
