import { organizationInvitation } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { developerPath } from '../../http/developer-path.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { requireAdmin } from './access.ts'
import type { OrganizationEndpointDeps } from './deps.ts'
import { invitationsPerMinute } from './invite-member.ts'
import { dataResponse } from '../../http/schemas.ts'
import { invitationParams, toInvitationView } from './schemas.ts'

/** Sends an invitation again with a new token, valid for another seven days; for administrators. */
export const resendInvitation = ({ organizations, invitations }: OrganizationEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: developerPath('/orgs/:org/invitations/:invitation/resend'),
    summary: 'Send an invitation again',
    tags: ['organizations'],
    style: 'coded',
    auth: coreOrPersonalToken('account'),
    schema: {
      params: Type.Object(invitationParams),
      response: { 200: dataResponse(organizationInvitation) },
    },
    errors: ['ORGANIZATION_NOT_FOUND', 'ORGANIZATION_FORBIDDEN', 'INVITATION_NOT_FOUND'],
    invalid: ({ field }) => (field === 'org' ? 'ORGANIZATION_NOT_FOUND' : 'INVITATION_NOT_FOUND'),
    limits: { perMinute: invitationsPerMinute },
    handler: async ({ caller: { user }, params }) => {
      const { organization } = await requireAdmin(organizations, user, params.org)
      const invitation = await invitations.resend(organization, params.invitation)
      if (invitation === undefined) throw fault('INVITATION_NOT_FOUND')
      return { success: true as const, data: toInvitationView(invitation) }
    },
  })
