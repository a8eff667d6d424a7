import type { OrganizationRole } from '../../db/index.ts'
import { fault } from '../../http/fault.ts'
import type { Organization, OrganizationStore, User } from '../../identity/index.ts'

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
