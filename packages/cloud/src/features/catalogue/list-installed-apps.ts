import { installedApp } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { pageQuery, parsePage, toPage, withLookahead } from '../../http/paging.ts'
import { appJson, sendList } from './app-json.ts'
import type { CatalogueEndpointDeps } from './deps.ts'
import { readLiveState } from './live-state.ts'
import { appPath, byPackage, listResponse } from './schemas.ts'

/** Returns the apps the user installed, and the system apps. */
export const listInstalledApps = ({ sessions, catalogue, lists }: CatalogueEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: appPath('/installed'),
    summary: 'List the installed apps',
    tags: ['apps'],
    style: 'envelope',
    auth: coreToken,
    schema: { querystring: Type.Object(pageQuery), response: { 200: listResponse(installedApp) } },
    errors: [],
    handler: async ({ caller: { user }, query, log, request, reply }) => {
      const page = parsePage(query)
      const [apps, installs, { glasses }] = await Promise.all([
        lists.installedBy(user, withLookahead(page)),
        catalogue.installsOf(user),
        readLiveState(sessions, user, log),
      ])
      const entries = toPage(apps, page, byPackage, { request, reply })
      const data = entries.map((entry) => {
        // System apps count as installed since the account exists.
        const installedAt = installs.get(entry.app.id)?.installedAt ?? user.createdAt
        const status = catalogue.statusOf(entry.app)
        return appJson.installed(entry, installedAt, status, entry.compatibility(glasses))
      })
      return sendList(reply, data)
    },
  })
