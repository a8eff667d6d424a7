import { appStoreStatus, developerApp } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { administrator } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { pageQuery, parsePage, toPage, withLookahead } from '../../http/paging.ts'
import { dataResponse } from '../../http/schemas.ts'
import { toDeveloperApps } from '../developer/index.ts'
import type { AdministrationEndpointDeps } from './deps.ts'

/** Lists the apps in review, or those with another status, by package name. */
export const listReview = (deps: AdministrationEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/admin/apps',
    summary: 'List apps by status; by default those in review',
    tags: ['administration'],
    style: 'coded',
    auth: administrator,
    schema: {
      querystring: Type.Object({ status: Type.Optional(appStoreStatus), ...pageQuery }),
      response: { 200: dataResponse(Type.Array(developerApp)) },
    },
    errors: [],
    handler: async ({ query, request, reply }) => {
      const page = parsePage({ limit: 100, ...query })
      const apps = await deps.apps.listByStatus(query.status ?? 'SUBMITTED', withLookahead(page))
      const visible = toPage(apps, page, ({ packageName }) => packageName, { request, reply })
      return { success: true as const, data: await toDeveloperApps(deps, visible) }
    },
  })
