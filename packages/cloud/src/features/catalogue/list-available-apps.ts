import { appDetails } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { optionalCoreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { pageQuery, parsePage, toPage, withLookahead } from '../../http/paging.ts'
import { appJson, sendList } from './app-json.ts'
import type { CatalogueEndpointDeps } from './deps.ts'
import { appPath, byPackage, listResponse, plainText } from './schemas.ts'

/** Returns the published apps whose server is not known to be down (decision C3). */
export const listAvailableApps = ({ catalogue, lists }: CatalogueEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: appPath('/available'),
    summary: 'List the available apps',
    tags: ['apps'],
    style: 'envelope',
    auth: optionalCoreToken,
    schema: {
      querystring: Type.Object({ organizationId: Type.Optional(plainText), ...pageQuery }),
      response: { 200: listResponse(appDetails) },
    },
    errors: [],
    handler: async ({ query, request, reply }) => {
      const page = parsePage(query)
      const apps = await lists.available(withLookahead(page), query.organizationId)
      const entries = toPage(apps, page, byPackage, { request, reply })
      const data = entries.map((entry) => appJson.details(entry, catalogue.statusOf(entry.app)))
      return sendList(reply, data)
    },
  })
