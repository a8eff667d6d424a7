import { type AdminReport, adminReport } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { administrator } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { dataResponse } from '../../http/schemas.ts'
import type { AdministrationEndpointDeps } from './deps.ts'
import { iso } from './schemas.ts'

const DEFAULT_LIMIT = 50

const list = {
  method: 'GET',
  tags: ['administration'],
  style: 'coded',
  auth: administrator,
  schema: {
    querystring: Type.Object({
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 200, description: `Default: ${DEFAULT_LIMIT}` }),
      ),
    }),
    response: { 200: dataResponse(Type.Array(adminReport)) },
  },
  errors: [],
} as const

/** Lists feedback and errors that phones reported, newest first. */
export const listReports = ({ reports }: AdministrationEndpointDeps) =>
  endpoint({
    ...list,
    url: '/api/admin/reports',
    summary: 'List feedback and errors that phones reported',
    handler: async ({ query }) => {
      const found = await reports.listNewest(query.limit ?? DEFAULT_LIMIT)
      const data = found.map(({ id, kind, sender, createdAt, content }): AdminReport => {
        return { id, kind, ...(sender !== null && { email: sender }), createdAt: iso(createdAt), content }
      })
      return { success: true as const, data }
    },
  })

/** Lists incidents with their logs and attachments, newest first. */
export const listIncidents = ({ incidents }: AdministrationEndpointDeps) =>
  endpoint({
    ...list,
    url: '/api/admin/incidents',
    summary: 'List incidents with their logs',
    handler: async ({ query }) => {
      const found = await incidents.listNewest(query.limit ?? DEFAULT_LIMIT)
      const data = (await incidents.withContent(found)).map(
        ({ id, sender, userId: _, createdAt, ...content }): AdminReport => {
          return { id, kind: 'incident', email: sender, createdAt: iso(createdAt), content }
        },
      )
      return { success: true as const, data }
    },
  })
