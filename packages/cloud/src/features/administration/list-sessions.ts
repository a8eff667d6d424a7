import { adminSession } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { administrator } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { pageQuery, parsePage, toPage, withLookahead } from '../../http/paging.ts'
import { dataResponse } from '../../http/schemas.ts'
import type { AdministrationEndpointDeps } from './deps.ts'

/** Lists the live sessions of all nodes. */
export const listSessions = ({ sessionList }: AdministrationEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/admin/sessions',
    summary: 'List live sessions',
    tags: ['administration'],
    style: 'coded',
    auth: administrator,
    schema: {
      querystring: Type.Object(pageQuery),
      response: { 200: dataResponse(Type.Array(adminSession)) },
    },
    errors: [],
    handler: async ({ query, request, reply }) => {
      const page = parsePage({ limit: 100, ...query })
      const sessions = await sessionList.list(withLookahead(page))
      const visible = toPage(sessions, page, ({ userId }) => userId, { request, reply })
      return { success: true as const, data: [...visible] }
    },
  })
