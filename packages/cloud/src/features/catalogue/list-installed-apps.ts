import { checkCompatibility, installedApp } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { pageQuery, parsePage, toPage, withLookahead } from '../../http/paging.ts'
import type { CatalogueEndpointDeps } from './deps.ts'
import { liveView } from './live.ts'
import { appPath, byPackage, listOf, tags } from './schemas.ts'
import { installedView } from './views.ts'

/** The apps on the user's list. */
export const listInstalledApps = ({ sessions, catalogue }: CatalogueEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: appPath('/installed'),
    summary: 'List the installed apps',
    tags,
    style: 'envelope',
    auth: coreToken,
    schema: { querystring: Type.Object(pageQuery), response: { 200: listOf(installedApp) } },
    errors: [],
    handler: async ({ caller: { user }, query, log, request, reply }) => {
      const page = parsePage(query)
      const [installed, { capabilities }] = await Promise.all([
        catalogue.installedBy(user, withLookahead(page)),
        liveView(sessions, user, log),
      ])
      const data = toPage(installed, page, byPackage, { request, reply }).map((app) =>
        installedView(app, checkCompatibility(app.hardwareRequirements, capabilities)),
      )
      return { success: true as const, data }
    },
  })
