import { organizationInvitation, organizationRole } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import type { Config } from '../../config/index.ts'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { developerPath } from '../../http/developer-path.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { normalizeEmail } from '../../identity/index.ts'
import { requireAdmin } from './access.ts'
import type { OrganizationEndpointDeps } from './deps.ts'
import { dataResponse } from '../../http/schemas.ts'
import { organizationParams, toInvitationView } from './schemas.ts'

/** Requests that send a mail are limited to a fifth of other requests. */
export const invitationsPerMinute = ({ limits }: Pick<Config, 'limits'>) =>
  Math.ceil(limits.requestsPerMinute / 5)

const REJECTIONS = {
  not_found: 'ORGANIZATION_NOT_FOUND',
  already_member: 'ALREADY_MEMBER',
  too_many: 'TOO_MANY_INVITATIONS',
} as const

/** Invites a person by e-mail; for administrators. */
export const inviteMember = ({ organizations, invitations }: OrganizationEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: developerPath('/orgs/:org/members'),
    summary: 'Invite a person to an organization',
    tags: ['organizations'],
    style: 'coded',
    auth: coreOrPersonalToken('account'),
    schema: {
      params: Type.Object(organizationParams),
      body: Type.Object(
        { email: Type.String({ maxLength: 254 }), role: Type.Optional(organizationRole) },
        { additionalProperties: false },
      ),
      response: { 200: dataResponse(organizationInvitation) },
    },
    errors: ['ORGANIZATION_NOT_FOUND', 'ORGANIZATION_FORBIDDEN', 'ALREADY_MEMBER', 'TOO_MANY_INVITATIONS'],
    invalid: ({ part }) => (part === 'params' ? 'ORGANIZATION_NOT_FOUND' : 'BAD_REQUEST'),
    limits: { perMinute: invitationsPerMinute },
    handler: async ({ caller: { user }, params, body }) => {
      const { organization } = await requireAdmin(organizations, user, params.org)
      const email = normalizeEmail(body.email)
      if (email === undefined) throw fault('BAD_REQUEST', { message: 'email must be an e-mail address' })
      const invitation = await invitations.invite(organization, email, body.role ?? 'member')
      if (typeof invitation === 'string') throw fault(REJECTIONS[invitation])
      return { success: true as const, data: toInvitationView(invitation) }
    },
  })
