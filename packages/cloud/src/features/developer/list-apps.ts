import { developerApp } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { developerPath } from '../../http/developer-path.ts'
import { endpoint } from '../../http/endpoint.ts'
import { pageQuery, parsePage, toPage, withLookahead } from '../../http/paging.ts'
import { dataResponse } from '../../http/schemas.ts'
import { requestedOrganization } from './access.ts'
import { toDeveloperApps } from './app-view.ts'
import type { DeveloperEndpointDeps } from './deps.ts'
import { organizationHeader, organizationId } from './schemas.ts'

/** Lists the apps that the caller owns, or those of one organization, ordered by package name. */
export const listOwnApps = (deps: DeveloperEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: developerPath('/apps'),
    summary: 'List your apps',
    tags: ['developer'],
    style: 'coded',
    auth: coreOrPersonalToken('apps:read'),
    schema: {
      querystring: Type.Object({ orgId: Type.Optional(organizationId), ...pageQuery }),
      headers: organizationHeader,
      response: { 200: dataResponse(Type.Array(developerApp)) },
    },
    errors: ['ORGANIZATION_NOT_FOUND'],
    handler: async ({ caller: { user }, query, headers, request, reply }) => {
      const { apps, organizations } = deps
      const page = parsePage(query)
      const organization = await requestedOrganization(organizations, user, {
        orgId: query.orgId,
        header: headers['x-org-id'],
      })
      const owned =
        organization === undefined
          ? await apps.listOwnedBy(
              { email: user.email, organizationIds: await organizationIdsOf(deps, user.id) },
              withLookahead(page),
            )
          : await apps.listOwnedBy({ organizationIds: [organization.id] }, withLookahead(page))
      const visible = toPage(owned, page, ({ packageName }) => packageName, { request, reply })
      return { success: true as const, data: await toDeveloperApps(deps, visible) }
    },
  })

async function organizationIdsOf(
  { organizations }: DeveloperEndpointDeps,
  userId: string,
): Promise<string[]> {
  return (await organizations.organizationsOf(userId)).map(({ organization }) => organization.id)
}
