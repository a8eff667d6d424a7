import { fault } from '../../http/fault.ts'
import type { Organization, OrganizationStore, User } from '../../identity/index.ts'
import type { App, AppStore, Catalogue } from '../catalogue/index.ts'

interface AppAccessDeps {
  readonly apps: AppStore
  readonly catalogue: Catalogue
  readonly organizations: OrganizationStore
}

/**
 * Finds an app that the user owns, as its developer or as a member of its organization.
 * @throws Fault `APP_NOT_FOUND`, also for apps of other owners
 */
export async function requireOwner(
  { apps, catalogue }: Pick<AppAccessDeps, 'apps' | 'catalogue'>,
  user: User,
  packageName: string,
): Promise<App> {
  const app = await apps.findByPackage(packageName)
  if (app === undefined || !(await catalogue.ownershipOf(user))(app)) throw fault('APP_NOT_FOUND')
  return app
}

/**
 * Like {@link requireOwner}, for what ends or changes the ownership: an app of an organization is administrated by the
 * administrators of the organization.
 * @throws Fault `APP_ADMIN_REQUIRED` for other owners
 */
export async function requireAppAdmin(deps: AppAccessDeps, user: User, packageName: string): Promise<App> {
  const app = await requireOwner(deps, user, packageName)
  if (app.organization === null) return app
  const role = await deps.organizations.membership(app.organization.id, user.id)
  if (role !== 'admin') throw fault('APP_ADMIN_REQUIRED')
  return app
}

/**
 * Finds an organization of the user.
 * @param idOrSlug the id is tried first
 * @returns undefined if the user is not a member
 */
export async function findOwnOrganization(
  organizations: OrganizationStore,
  user: User,
  idOrSlug: string,
): Promise<Organization | undefined> {
  const memberships = await organizations.organizationsOf(user.id)
  const found =
    memberships.find(({ organization }) => organization.id === idOrSlug) ??
    memberships.find(({ organization }) => organization.slug === idOrSlug)
  return found?.organization
}

/**
 * Returns the organization that a request names: by `orgId`, otherwise by the header `X-Org-Id`, which is ignored for
 * organizations of other users.
 * @throws Fault `ORGANIZATION_NOT_FOUND` for an `orgId` of another organization
 */
export async function requestedOrganization(
  organizations: OrganizationStore,
  user: User,
  { orgId, header }: { readonly orgId?: string | undefined; readonly header?: string | undefined },
): Promise<Organization | undefined> {
  if (orgId === undefined || orgId === '')
    return header ? findOwnOrganization(organizations, user, header) : undefined
  const organization = await findOwnOrganization(organizations, user, orgId)
  if (organization === undefined) throw fault('ORGANIZATION_NOT_FOUND')
  return organization
}
