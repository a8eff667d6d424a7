import { appItem, checkCompatibility } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { allowedApiKey, coreToken, eitherOf } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { pageQuery, parsePage, toPage, withLookahead } from '../../http/paging.ts'
import type { CatalogueEndpointDeps } from './deps.ts'
import { liveView } from './live.ts'
import { appPath, byPackage, listOf, tags } from './schemas.ts'
import { itemView } from './views.ts'

/** Every app the user may see, with its state for that user (decision C2). */
export const listApps = ({ catalogue, sessions }: CatalogueEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: appPath(''),
    summary: 'List the apps of a user',
    tags,
    style: 'envelope',
    auth: eitherOf(coreToken, allowedApiKey),
    schema: { querystring: Type.Object(pageQuery), response: { 200: listOf(appItem) } },
    errors: [],
    handler: async ({ caller: { user }, query, log, request, reply }) => {
      const page = parsePage(query)
      const [apps, lastActiveAt, isMaker, live] = await Promise.all([
        catalogue.visibleTo(user, withLookahead(page)),
        catalogue.lastActive(user),
        catalogue.madeBy(user),
        liveView(sessions, user, log),
      ])
      const data = toPage(apps, page, byPackage, { request, reply }).map((app) =>
        itemView(app, {
          isRunning: live.isRunning(app.packageName),
          lastActiveAt: lastActiveAt(app),
          compatibility: checkCompatibility(app.hardwareRequirements, live.capabilities),
          isMaker: isMaker(app),
        }),
      )
      return { success: true as const, data }
    },
  })
