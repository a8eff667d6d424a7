import { appItem } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { allowedApiKey, coreToken, eitherOf } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { pageQuery, parsePage, toPage, withLookahead } from '../../http/paging.ts'
import { appJson, sendList } from './app-json.ts'
import type { CatalogueEndpointDeps } from './deps.ts'
import { readLiveState } from './live-state.ts'
import { appPath, byPackage, listResponse } from './schemas.ts'

/** Returns the apps the user may see, with their state for the user (decision C2). */
export const listApps = ({ catalogue, lists, sessions }: CatalogueEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: appPath(''),
    summary: 'List the apps of a user',
    tags: ['apps'],
    style: 'envelope',
    auth: eitherOf(coreToken, allowedApiKey),
    schema: { querystring: Type.Object(pageQuery), response: { 200: listResponse(appItem) } },
    errors: [],
    handler: async ({ caller: { user }, query, log, request, reply }) => {
      const page = parsePage(query)
      const [apps, lastActive, isOwner, live] = await Promise.all([
        lists.visibleTo(user, withLookahead(page)),
        catalogue.lastActiveOf(user),
        catalogue.ownershipOf(user),
        readLiveState(sessions, user, log),
      ])
      const entries = toPage(apps, page, byPackage, { request, reply })
      const data = entries.map((entry) =>
        appJson.item(entry, {
          isRunning: live.isRunning(entry.packageName),
          lastActiveAt: lastActive.get(entry.app.id) ?? null,
          compatibility: entry.compatibility(live.glasses),
          isOwner: isOwner(entry.app),
        }),
      )
      return sendList(reply, data)
    },
  })
