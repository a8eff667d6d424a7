import { appLogEntry } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { pageQuery, parsePage, toPage, withLookahead } from '../../http/paging.ts'
import { appParams, dataResponse } from '../../http/schemas.ts'
import { requireOwner } from '../developer/index.ts'
import type { AppLogEndpointDeps } from './deps.ts'
import { toEntryView } from './entry-view.ts'

/** Lists the log of an app of the last 24 hours, newest first. */
export const listLog = (deps: AppLogEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/console/apps/:packageName/logs',
    summary: 'List the log of an app, newest first',
    tags: ['developer'],
    style: 'coded',
    auth: coreOrPersonalToken('apps:read'),
    schema: {
      params: appParams,
      querystring: Type.Object(pageQuery),
      response: { 200: dataResponse(Type.Array(appLogEntry)) },
    },
    errors: ['APP_NOT_FOUND'],
    invalid: ({ part }) => (part === 'params' ? 'APP_NOT_FOUND' : 'BAD_REQUEST'),
    handler: async ({ caller: { user }, params, query, request, reply }) => {
      const page = parsePage(query)
      const app = await requireOwner(deps, user, params.packageName)
      await deps.appLog.flush()
      const entries = await deps.store.list(app.id, withLookahead(page))
      const visible = toPage(entries, page, ({ id }) => id, { request, reply })
      return { success: true as const, data: visible.map(toEntryView) }
    },
  })
