import { handedInvitation, organizationRole, organizationSummary } from '@glasses-cloud/contract'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { Config } from '../../config/index.ts'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { dataResponse, developerPath, successResponse } from '../../http/schemas.ts'
import { type MemberChange, normalizeEmail } from '../../identity/index.ts'
import {
  invitationParams,
  memberParams,
  organizationParams,
  requireAdmin,
  requireMember,
  toHandedInvitation,
  toSummary,
} from './access.ts'
import { TooManyMails } from './invitations.ts'
import type { OrganizationEndpointDeps } from './organization-endpoints.ts'

const REJECTIONS = {
  not_found: 'ORGANIZATION_NOT_FOUND',
  already_member: 'ALREADY_MEMBER',
  too_many: 'TOO_MANY_INVITATIONS',
} as const

const common = { tags: ['organizations'], style: 'coded', auth: coreOrPersonalToken('account') } as const

export const memberEndpoints = ({ invitations, organizations }: OrganizationEndpointDeps): Endpoint[] => [
  endpoint({
    ...common,
    method: 'POST',
    url: developerPath('/orgs/:org/members'),
    summary: 'Invite a person to an organization',
    schema: {
      params: Type.Object(organizationParams),
      body: Type.Object(
        { email: Type.String({ maxLength: 254 }), role: Type.Optional(organizationRole) },
        { additionalProperties: false },
      ),
      response: { 200: dataResponse(handedInvitation) },
    },
    errors: [
      'ORGANIZATION_NOT_FOUND',
      'ORGANIZATION_FORBIDDEN',
      'ALREADY_MEMBER',
      'TOO_MANY_INVITATIONS',
      'TOO_MANY_INVITATION_MAILS',
    ],
    invalid: ({ part }) => (part === 'params' ? 'ORGANIZATION_NOT_FOUND' : 'BAD_REQUEST'),
    limits: { perMinute: invitationsPerMinute },
    handler: async ({ caller: { user }, params, body, reply }) => {
      const { organization } = await requireAdmin(organizations, user, params.org)
      const email = normalizeEmail(body.email)
      if (email === undefined) throw fault('BAD_REQUEST', { message: 'email must be an e-mail address' })
      const invitation = await invitations
        .invite(user, organization, email, body.role ?? 'member')
        .catch(rejectMails(reply))
      if (typeof invitation === 'string') throw fault(REJECTIONS[invitation])
      return { success: true as const, data: toHandedInvitation(invitation) }
    },
  }),
  endpoint({
    ...common,
    method: 'POST',
    url: developerPath('/orgs/:org/invitations/:invitation/resend'),
    summary: 'Send an invitation again',
    schema: {
      params: Type.Object(invitationParams),
      response: { 200: dataResponse(handedInvitation) },
    },
    errors: [
      'ORGANIZATION_NOT_FOUND',
      'ORGANIZATION_FORBIDDEN',
      'INVITATION_NOT_FOUND',
      'TOO_MANY_INVITATION_MAILS',
    ],
    invalid: ({ field }) => (field === 'org' ? 'ORGANIZATION_NOT_FOUND' : 'INVITATION_NOT_FOUND'),
    limits: { perMinute: invitationsPerMinute },
    handler: async ({ caller: { user }, params, reply }) => {
      const { organization } = await requireAdmin(organizations, user, params.org)
      const invitation = await invitations
        .resend(user, organization, params.invitation)
        .catch(rejectMails(reply))
      if (invitation === undefined) throw fault('INVITATION_NOT_FOUND')
      return { success: true as const, data: toHandedInvitation(invitation) }
    },
  }),
  endpoint({
    ...common,
    method: 'DELETE',
    url: developerPath('/orgs/:org/invitations/:invitation'),
    summary: 'Rescind an invitation',
    schema: { params: Type.Object(invitationParams), response: { 200: successResponse } },
    errors: ['ORGANIZATION_NOT_FOUND', 'ORGANIZATION_FORBIDDEN', 'INVITATION_NOT_FOUND'],
    invalid: ({ field }) => (field === 'org' ? 'ORGANIZATION_NOT_FOUND' : 'INVITATION_NOT_FOUND'),
    handler: async ({ caller: { user }, params }) => {
      const { organization } = await requireAdmin(organizations, user, params.org)
      if (!(await invitations.rescind(organization, params.invitation))) throw fault('INVITATION_NOT_FOUND')
      return { success: true as const }
    },
  }),
  endpoint({
    ...common,
    method: 'POST',
    url: developerPath('/orgs/accept/:token'),
    summary: 'Accept an invitation to an organization',
    schema: {
      params: Type.Object({ token: Type.String({ maxLength: 100 }) }),
      response: { 200: dataResponse(organizationSummary) },
    },
    errors: [
      'INVITATION_NOT_FOUND',
      'INVITATION_FOR_ANOTHER_ADDRESS',
      'ORGANIZATION_NOT_FOUND',
      'TOO_MANY_ORGANIZATIONS',
    ],
    invalid: 'INVITATION_NOT_FOUND',
    handler: async ({ caller: { user }, params }) => {
      const accepted = await invitations.accept(params.token, user)
      if (accepted === undefined) throw fault('INVITATION_NOT_FOUND')
      if (accepted === 'another_address') throw fault('INVITATION_FOR_ANOTHER_ADDRESS')
      if (accepted === 'too_many') throw fault('TOO_MANY_ORGANIZATIONS')
      const { organization, role } = await requireMember(organizations, user, accepted)
      return { success: true as const, data: toSummary(organization, role) }
    },
  }),
  // Changes the role of a member; for administrators. An organization keeps at least one administrator.
  endpoint({
    ...common,
    method: 'PATCH',
    url: developerPath('/orgs/:org/members/:userId'),
    summary: 'Change the role of a member',
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
  }),
  // Removes a member; for administrators, and for members who leave. An organization keeps at least one
  // administrator.
  endpoint({
    ...common,
    method: 'DELETE',
    url: developerPath('/orgs/:org/members/:userId'),
    summary: 'Remove a member, or leave an organization',
    schema: { params: Type.Object(memberParams), response: { 200: successResponse } },
    errors: ['ORGANIZATION_NOT_FOUND', 'ORGANIZATION_FORBIDDEN', 'MEMBER_NOT_FOUND', 'LAST_ADMIN'],
    invalid: ({ field }) => (field === 'org' ? 'ORGANIZATION_NOT_FOUND' : 'MEMBER_NOT_FOUND'),
    handler: async ({ caller: { user }, params: { org, userId } }) => {
      const { organization, role } = await requireMember(organizations, user, org)
      if (role !== 'admin' && userId !== user.id) throw fault('ORGANIZATION_FORBIDDEN')
      throwUnlessDone(await organizations.removeMember(organization.id, userId))
      return { success: true as const }
    },
  }),
]

/** Returns a function that converts the rejection of a message. @throws Fault `TOO_MANY_INVITATION_MAILS` */
const rejectMails =
  (reply: FastifyReply) =>
  (error: unknown): never => {
    if (!(error instanceof TooManyMails)) throw error
    void reply.header('retry-after', error.waitSeconds)
    throw fault('TOO_MANY_INVITATION_MAILS', { cause: error })
  }

/** Requests that send a mail are limited to a fifth of other requests. */
const invitationsPerMinute = ({ limits }: Pick<Config, 'limits'>) => Math.ceil(limits.requestsPerMinute / 5)

/** @throws Fault if a change of members was rejected */
function throwUnlessDone(change: MemberChange): void {
  if (change === 'not_found') throw fault('MEMBER_NOT_FOUND')
  if (change === 'last_admin') throw fault('LAST_ADMIN')
}
