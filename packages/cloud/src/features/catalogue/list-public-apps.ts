import { publicApp } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { optionalCoreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { pageQuery, parsePage, toPage, withLookahead } from '../../http/paging.ts'
import { appJson, sendList } from './app-json.ts'
import type { CatalogueEndpointDeps } from './deps.ts'
import { readLiveState } from './live-state.ts'
import { appPath, byPackage, listResponse, tags } from './schemas.ts'

/** Returns the published apps that the connected glasses can run (decision C3). */
export const listPublicApps = ({ sessions, lists }: CatalogueEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: appPath('/public'),
    summary: 'List the published apps',
    tags,
    style: 'envelope',
    auth: optionalCoreToken,
    schema: { querystring: Type.Object(pageQuery), response: { 200: listResponse(publicApp) } },
    errors: [],
    handler: async ({ caller, query, log, request, reply }) => {
      const page = parsePage(query)
      const glasses =
        caller.kind === 'user' ? (await readLiveState(sessions, caller.user, log)).capabilities : null
      const apps = await lists.published(
        withLookahead(page),
        (entry) => entry.compatibility(glasses).value.isCompatible,
      )
      const entries = toPage(apps, page, byPackage, { request, reply })
      return sendList(reply, entries.map(appJson.public))
    },
  })
