import type { ExpressionBuilder } from 'kysely'
import { type Database, fromJson, type Schema, toJson } from '../../db/index.ts'
import type { UserRef } from '../../personal-data.ts'

type Apps = ExpressionBuilder<Schema, 'apps'>

/** Ends the ownership of apps and organizations. */
export class OwnershipStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Ends everything a user owns in one transaction. Apps without another owner lose their keys and are unpublished;
   * organizations without another member are deleted. Shared apps and organizations remain, without the user.
   * @returns package names of the unpublished apps
   */
  async giveUp(user: UserRef, now: number): Promise<string[]> {
    return this.#db.transaction().execute(async (trx) => {
      await lockOwned(trx, user)
      const alone = await trx
        .selectFrom('apps')
        .select(['id', 'package_name'])
        .where((e) => isSoleOwner(e, user))
        .execute()
      for (const { id } of alone) {
        await trx.deleteFrom('api_keys').where('app_id', '=', id).execute()
        await trx
          .updateTable('apps')
          .set({ app_store_status: 'DEVELOPMENT', featured: 0, updated_at: now })
          .where('id', '=', id)
          .execute()
      }
      await trx
        .updateTable('apps')
        .set({ developer_id: null, developer_user_id: null, updated_at: now })
        .where((e) => isDeveloper(e, user))
        .execute()
      await leaveOrganizations(trx, user)
      return alone.map(({ package_name }) => package_name)
    })
  }
}

/**
 * Locks the user's organizations and apps by no-op updates, in the order of their ids. Two owners that give up the same
 * app at the same time then do so in sequence, and the second one is its only owner.
 */
async function lockOwned(trx: Database, user: UserRef): Promise<void> {
  const { id } = user
  // Locks the user's row first, so that two runs for one user are serialized.
  await trx.updateTable('users').set({ id }).where('id', '=', id).execute()
  const organizations = await trx
    .selectFrom('organization_members')
    .select('organization_id as id')
    .where('user_id', '=', id)
    .orderBy('organization_id')
    .execute()
  for (const organization of organizations)
    await trx.updateTable('organizations').set(organization).where('id', '=', organization.id).execute()
  const organizationIds = organizations.map((organization) => organization.id)
  const apps = await trx
    .selectFrom('apps')
    .select('id')
    .where((e) =>
      e.or([
        isDeveloper(e, user),
        ...(organizationIds.length > 0 ? [e('organization_id', 'in', organizationIds)] : []),
      ]),
    )
    .orderBy('id')
    .execute()
  for (const app of apps) await trx.updateTable('apps').set(app).where('id', '=', app.id).execute()
}

/** The user is the developer or a member of the organization, and there is no other developer or member. */
function isSoleOwner(e: Apps, user: UserRef) {
  const { id } = user
  const members = e
    .selectFrom('organization_members as member')
    .select('member.user_id')
    .whereRef('member.organization_id', '=', 'apps.organization_id')
  return e.and([
    e.or([isDeveloper(e, user), e.exists(members.where('member.user_id', '=', id))]),
    e.or([e('apps.developer_id', 'is', null), isDeveloper(e, user)]),
    e.not(e.exists(members.where('member.user_id', '!=', id))),
  ])
}

async function leaveOrganizations(db: Database, { id, email }: UserRef): Promise<void> {
  const organizations = await db
    .selectFrom('organizations')
    .innerJoin('organization_members', 'organization_members.organization_id', 'organizations.id')
    .select(['organizations.id', 'organizations.profile'])
    .select((e) =>
      e
        .exists(
          e
            .selectFrom('organization_members as other')
            .select('other.user_id')
            .whereRef('other.organization_id', '=', 'organizations.id')
            .where('other.user_id', '!=', id),
        )
        .as('shared'),
    )
    .where('organization_members.user_id', '=', id)
    .execute()
  for (const { id: organizationId, profile, shared } of organizations) {
    if (!shared) await db.deleteFrom('organizations').where('id', '=', organizationId).execute()
    else {
      const { contactEmail, ...rest } = fromJson<Record<string, string>>(profile)
      if (contactEmail?.toLowerCase() !== email) continue
      await db
        .updateTable('organizations')
        .set({ profile: toJson(rest) })
        .where('id', '=', organizationId)
        .execute()
    }
  }
  await db.deleteFrom('organization_members').where('user_id', '=', id).execute()
  for (const { id: organizationId, shared } of organizations)
    if (shared) await keepAdministrated(db, organizationId)
}

/** Makes the member who joined first an administrator if there is none. */
async function keepAdministrated(db: Database, organizationId: string): Promise<void> {
  const members = await db
    .selectFrom('organization_members')
    .select(['user_id', 'role'])
    .where('organization_id', '=', organizationId)
    .orderBy('joined_at')
    .orderBy('user_id')
    .execute()
  const [first] = members
  if (first === undefined || members.some(({ role }) => role === 'admin')) return
  await db
    .updateTable('organization_members')
    .set({ role: 'admin' })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', first.user_id)
    .execute()
}

/**
 * Matches the apps that a user develops: those that the user registered, and those that the operator registered for the
 * user's address, if it is confirmed (TRU-3).
 */
export function isDeveloper(e: Apps, { id, email }: { readonly id: string; readonly email: string }) {
  const confirmed = e.selectFrom('users').select('users.id').where('users.id', '=', id)
  return e.or([
    e('apps.developer_user_id', '=', id),
    e.and([
      e('apps.developer_id', '=', email),
      e('apps.developer_user_id', 'is', null),
      e.exists(confirmed.where('users.email_verified', '=', 1)),
    ]),
  ])
}
