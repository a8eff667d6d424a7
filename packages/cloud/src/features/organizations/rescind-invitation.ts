import { Type } from 'typebox'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { developerPath } from '../../http/developer-path.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { requireAdmin } from './access.ts'
import type { OrganizationEndpointDeps } from './deps.ts'
import { invitationParams } from './schemas.ts'
import { successResponse } from '../../http/schemas.ts'

/** Rescinds a pending invitation; for administrators. */
export const rescindInvitation = ({ organizations, invitations }: OrganizationEndpointDeps) =>
  endpoint({
    method: 'DELETE',
    url: developerPath('/orgs/:org/invitations/:invitation'),
    summary: 'Rescind an invitation',
    tags: ['organizations'],
    style: 'coded',
    auth: coreOrPersonalToken('account'),
    schema: { params: Type.Object(invitationParams), response: { 200: successResponse } },
    errors: ['ORGANIZATION_NOT_FOUND', 'ORGANIZATION_FORBIDDEN', 'INVITATION_NOT_FOUND'],
    invalid: ({ field }) => (field === 'org' ? 'ORGANIZATION_NOT_FOUND' : 'INVITATION_NOT_FOUND'),
    handler: async ({ caller: { user }, params }) => {
      const { organization } = await requireAdmin(organizations, user, params.org)
      if (!(await invitations.rescind(organization, params.invitation))) throw fault('INVITATION_NOT_FOUND')
      return { success: true as const }
    },
  })
