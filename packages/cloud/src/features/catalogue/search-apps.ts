import { appDetails } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { optionalCoreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { pageQuery, parsePage, toPage, withLookahead } from '../../http/paging.ts'
import { appJson, sendList } from './app-json.ts'
import type { CatalogueEndpointDeps } from './deps.ts'
import { appPath, byPackage, listResponse, plainText } from './schemas.ts'

/** Returns the apps whose name or description contains a text (decision C4). */
export const searchApps = ({ catalogue, lists }: CatalogueEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: appPath('/search'),
    summary: 'Search apps by name and description',
    tags: ['apps'],
    style: 'envelope',
    auth: optionalCoreToken,
    schema: {
      querystring: Type.Object({
        q: Type.Optional(Type.String({ maxLength: 200, description: 'Required' })),
        organizationId: Type.Optional(plainText),
        ...pageQuery,
      }),
      response: { 200: listResponse(appDetails) },
    },
    errors: ['SEARCH_QUERY_REQUIRED'],
    handler: async ({ caller, query, request, reply }) => {
      const page = parsePage(query)
      // No name contains control characters, and PostgreSQL rejects U+0000.
      const text = (query.q ?? '').replace(/\p{Cc}/gu, ' ').trim()
      if (text === '') throw fault('SEARCH_QUERY_REQUIRED')
      const apps = await lists.search(
        text,
        caller.kind === 'user' ? caller.user : undefined,
        withLookahead(page),
        query.organizationId,
      )
      const entries = toPage(apps, page, byPackage, { request, reply })
      const data = entries.map((entry) => appJson.details(entry, catalogue.statusOf(entry.app)))
      return sendList(reply, data)
    },
  })
