import { Type } from 'typebox'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { developerPath } from '../../http/developer-path.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { requireMember } from './access.ts'
import type { OrganizationEndpointDeps } from './deps.ts'
import { throwUnlessDone } from './member-change.ts'
import { memberParams } from './schemas.ts'
import { successResponse } from '../../http/schemas.ts'

/** Removes a member; for administrators, and for members who leave. An organization keeps at least one administrator. */
export const removeMember = ({ organizations }: OrganizationEndpointDeps) =>
  endpoint({
    method: 'DELETE',
    url: developerPath('/orgs/:org/members/:userId'),
    summary: 'Remove a member, or leave an organization',
    tags: ['organizations'],
    style: 'coded',
    auth: coreOrPersonalToken('account'),
    schema: { params: Type.Object(memberParams), response: { 200: successResponse } },
    errors: ['ORGANIZATION_NOT_FOUND', 'ORGANIZATION_FORBIDDEN', 'MEMBER_NOT_FOUND', 'LAST_ADMIN'],
    invalid: ({ field }) => (field === 'org' ? 'ORGANIZATION_NOT_FOUND' : 'MEMBER_NOT_FOUND'),
    handler: async ({ caller: { user }, params: { org, userId } }) => {
      const { organization, role } = await requireMember(organizations, user, org)
      if (role !== 'admin' && userId !== user.id) throw fault('ORGANIZATION_FORBIDDEN')
      throwUnlessDone(await organizations.removeMember(organization.id, userId))
      return { success: true as const }
    },
  })
