import { organizationRole } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { developerPath } from '../../http/developer-path.ts'
import { endpoint } from '../../http/endpoint.ts'
import { requireAdmin } from './access.ts'
import type { OrganizationEndpointDeps } from './deps.ts'
import { throwUnlessDone } from './member-change.ts'
import { memberParams } from './schemas.ts'
import { successResponse } from '../../http/schemas.ts'

/** Changes the role of a member; for administrators. An organization keeps at least one administrator. */
export const changeRole = ({ organizations }: OrganizationEndpointDeps) =>
  endpoint({
    method: 'PATCH',
    url: developerPath('/orgs/:org/members/:userId'),
    summary: 'Change the role of a member',
    tags: ['organizations'],
    style: 'coded',
    auth: coreOrPersonalToken('account'),
    schema: {
      params: Type.Object(memberParams),
      body: Type.Object({ role: organizationRole }, { additionalProperties: false }),
      response: { 200: successResponse },
    },
    errors: ['ORGANIZATION_NOT_FOUND', 'ORGANIZATION_FORBIDDEN', 'MEMBER_NOT_FOUND', 'LAST_ADMIN'],
    invalid: ({ part, field }) => {
      if (part === 'body') return 'BAD_REQUEST'
      return field === 'org' ? 'ORGANIZATION_NOT_FOUND' : 'MEMBER_NOT_FOUND'
    },
    handler: async ({ caller: { user }, params, body }) => {
      const { organization } = await requireAdmin(organizations, user, params.org)
      throwUnlessDone(await organizations.setRole(organization.id, params.userId, body.role))
      return { success: true as const }
    },
  })
