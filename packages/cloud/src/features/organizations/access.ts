import {
  type OrganizationSummary,
  type Organization as OrganizationView,
  SHORT_LINE_PATTERN,
  SLUG_PATTERN,
} from '@glasses-cloud/contract'
import { Type } from 'typebox'
import type { OrganizationRole } from '../../db/index.ts'
import { fault } from '../../http/fault.ts'
import type { Invitation, Member, Organization, OrganizationStore, User } from '../../identity/index.ts'
import type { HandedInvitation } from './invitations.ts'

/** An organization and the caller's role in it. */
export interface OrganizationAccess {
  readonly organization: Organization
  readonly role: OrganizationRole
}

/**
 * Finds an organization that the user belongs to.
 * @param idOrSlug the id is tried first
 * @throws Fault `ORGANIZATION_NOT_FOUND`, also for organizations of other users
 */
export async function requireMember(
  organizations: OrganizationStore,
  user: User,
  idOrSlug: string,
): Promise<OrganizationAccess> {
  const organization = (await organizations.findById(idOrSlug)) ?? (await organizations.findBySlug(idOrSlug))
  const role = organization && (await organizations.membership(organization.id, user.id))
  if (organization === undefined || role === undefined) throw fault('ORGANIZATION_NOT_FOUND')
  return { organization, role }
}

/** Like {@link requireMember}, for administrators. @throws Fault `ORGANIZATION_FORBIDDEN` for other members */
export async function requireAdmin(
  organizations: OrganizationStore,
  user: User,
  idOrSlug: string,
): Promise<OrganizationAccess> {
  const access = await requireMember(organizations, user, idOrSlug)
  if (access.role !== 'admin') throw fault('ORGANIZATION_FORBIDDEN')
  return access
}

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

/** Returns an invitation for the person who invites. */
export function toHandedInvitation(invitation: HandedInvitation) {
  return { ...toInvitationView(invitation), link: invitation.link, isMailed: invitation.isMailed }
}

/** Returns an invitation without its tokens. */
function toInvitationView({ id, email, role, createdAt, expiresAt }: Invitation) {
  return { id, email, role, createdAt: iso(createdAt), expiresAt: iso(expiresAt) }
}

const iso = (ms: number) => new Date(ms).toISOString()
