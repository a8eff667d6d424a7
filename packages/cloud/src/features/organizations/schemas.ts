import {
  type OrganizationSummary,
  type Organization as OrganizationView,
  SHORT_LINE_PATTERN,
  SLUG_PATTERN,
} from '@glasses-cloud/contract'
import { Type } from 'typebox'
import type { OrganizationRole } from '../../db/index.ts'
import type { Invitation, Member, Organization } from '../../identity/index.ts'

/** Path parameter of an organization. */
export const organizationParams = { org: Type.String({ pattern: SLUG_PATTERN, description: 'Id or slug' }) }

/** Path parameters of an invitation. */
export const invitationParams = {
  ...organizationParams,
  invitation: Type.String({ pattern: SHORT_LINE_PATTERN }),
}

/** Path parameters of a member. */
export const memberParams = { ...organizationParams, userId: Type.String({ pattern: SHORT_LINE_PATTERN }) }

/** Returns an organization as lists show it. */
export function toSummary(organization: Organization, role: OrganizationRole): OrganizationSummary {
  const { id, slug, name, profile, createdAt } = organization
  return { id, slug, name, profile, role, createdAt: iso(createdAt) }
}

/** Returns an organization with its members; `invitations` only for administrators. */
export function toView(
  organization: Organization,
  role: OrganizationRole,
  members: readonly Member[],
  invitations: readonly Invitation[] | undefined,
): OrganizationView {
  return {
    ...toSummary(organization, role),
    members: members.map(({ joinedAt, ...member }) => ({ ...member, joinedAt: iso(joinedAt) })),
    ...(invitations && { invitations: invitations.map(toInvitationView) }),
  }
}

/** Returns an invitation without its token. */
export function toInvitationView({ id, email, role, createdAt, expiresAt }: Invitation) {
  return { id, email, role, createdAt: iso(createdAt), expiresAt: iso(expiresAt) }
}

const iso = (ms: number) => new Date(ms).toISOString()
