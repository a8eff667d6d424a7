import { organization } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { developerPath } from '../../http/developer-path.ts'
import { endpoint } from '../../http/endpoint.ts'
import { requireMember } from './access.ts'
import type { OrganizationEndpointDeps } from './deps.ts'
import { dataResponse } from '../../http/schemas.ts'
import { organizationParams, toView } from './schemas.ts'

/** Returns an organization of the caller with its members; administrators also see the pending invitations. */
export const getOrganization = ({ organizations, invitations }: OrganizationEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: developerPath('/orgs/:org'),
    summary: 'Get an organization with its members',
    tags: ['organizations'],
    style: 'coded',
    auth: coreOrPersonalToken('account'),
    schema: { params: Type.Object(organizationParams), response: { 200: dataResponse(organization) } },
    errors: ['ORGANIZATION_NOT_FOUND'],
    invalid: 'ORGANIZATION_NOT_FOUND',
    handler: async ({ caller: { user }, params }) => {
      const access = await requireMember(organizations, user, params.org)
      const members = await organizations.membersOf(access.organization.id)
      const pending = access.role === 'admin' ? await invitations.list(access.organization) : undefined
      return { success: true as const, data: toView(access.organization, access.role, members, pending) }
    },
  })
