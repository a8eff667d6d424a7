import { organizationSummary } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { developerPath } from '../../http/developer-path.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { OrganizationEndpointDeps } from './deps.ts'
import { dataResponse } from '../../http/schemas.ts'
import { toSummary } from './schemas.ts'

/** Lists the organizations of the caller, ordered by slug. */
export const listOrganizations = ({ organizations }: OrganizationEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: developerPath('/orgs'),
    summary: 'List your organizations',
    tags: ['organizations'],
    style: 'coded',
    auth: coreOrPersonalToken('account'),
    schema: { response: { 200: dataResponse(Type.Array(organizationSummary)) } },
    errors: [],
    handler: async ({ caller: { user } }) => {
      const memberships = await organizations.organizationsOf(user.id)
      return {
        success: true as const,
        data: memberships.map(({ organization, role }) => toSummary(organization, role)),
      }
    },
  })
