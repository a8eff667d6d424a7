import { organizationSummary } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { developerPath } from '../../http/developer-path.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { requireMember } from './access.ts'
import type { OrganizationEndpointDeps } from './deps.ts'
import { dataResponse } from '../../http/schemas.ts'
import { toSummary } from './schemas.ts'

/** Accepts an invitation; only the user with the invited e-mail address can, once. */
export const acceptInvitation = ({ organizations, invitations }: OrganizationEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: developerPath('/orgs/accept/:token'),
    summary: 'Accept an invitation to an organization',
    tags: ['organizations'],
    style: 'coded',
    auth: coreOrPersonalToken('account'),
    schema: {
      params: Type.Object({ token: Type.String({ maxLength: 100 }) }),
      response: { 200: dataResponse(organizationSummary) },
    },
    errors: ['INVITATION_NOT_FOUND', 'INVITATION_FOR_ANOTHER_ADDRESS', 'ORGANIZATION_NOT_FOUND'],
    invalid: 'INVITATION_NOT_FOUND',
    handler: async ({ caller: { user }, params }) => {
      const accepted = await invitations.accept(params.token, user)
      if (accepted === undefined) throw fault('INVITATION_NOT_FOUND')
      if (accepted === 'another_address') throw fault('INVITATION_FOR_ANOTHER_ADDRESS')
      const { organization, role } = await requireMember(organizations, user, accepted)
      return { success: true as const, data: toSummary(organization, role) }
    },
  })
