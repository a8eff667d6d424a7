import { randomUUID } from 'node:crypto'
import type { DeveloperProfile } from '@glasses-cloud/contract'
import type { ExpressionBuilder, Selectable, Transaction } from 'kysely'
import {
  type Database,
  fromJson,
  type OrganizationRole,
  type OrganizationRow,
  type Schema,
  toJson,
} from '../db/index.ts'
import { writeAs } from './user-store.ts'

/** An organization that owns apps. */
export interface Organization {
  readonly id: string
  /** Unique and readable. */
  readonly slug: string
  readonly name: string
  readonly profile: DeveloperProfile
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** The role of a user in an organization. */
export interface Membership {
  readonly organization: Organization
  readonly role: OrganizationRole
  /** Epoch milliseconds. */
  readonly joinedAt: number
}

/** A user who belongs to an organization. */
export interface Member {
  readonly userId: string
  readonly email: string
  /** Empty by default. */
  readonly name: string
  readonly role: OrganizationRole
  /** Epoch milliseconds. */
  readonly joinedAt: number
}

/** Result of a change of members; an organization always has an administrator. */
export type MemberChange = 'done' | 'not_found' | 'last_admin'

/** Stores organizations and their members. */
export class OrganizationStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async findById(id: string): Promise<Organization | undefined> {
    return this.#find('id', id)
  }

  async findBySlug(slug: string): Promise<Organization | undefined> {
    return this.#find('slug', slug)
  }

  /** Creates an organization, or updates the name or profile of the existing one with this slug. */
  async ensure(
    slug: string,
    values: { name?: string | undefined; profile?: DeveloperProfile | undefined },
    now: number,
  ): Promise<Organization> {
    const row = await this.#db
      .insertInto('organizations')
      .values({
        id: randomUUID(),
        slug,
        name: values.name ?? slug,
        profile: toJson(values.profile ?? {}),
        created_at: now,
      })
      .onConflict((conflict) =>
        conflict.column('slug').doUpdateSet((e) => ({
          slug,
          ...(values.name !== undefined && { name: e.ref('excluded.name') }),
          ...(values.profile !== undefined && { profile: e.ref('excluded.profile') }),
        })),
      )
      .returningAll()
      .executeTakeFirstOrThrow()
    return toOrganization(row)
  }

  /**
   * Creates an organization with its first administrator.
   * @param maxMemberships organizations that the administrator may belong to
   * @throws AccountEnded
   */
  async create(
    values: { readonly slug: string; readonly name: string; readonly profile: DeveloperProfile },
    adminId: string,
    maxMemberships: number,
    now: number,
  ): Promise<Organization | 'slug_taken' | 'too_many'> {
    // The lock also prevents concurrent additions from exceeding the maximum.
    return writeAs(this.#db, adminId, async (trx) => {
      if (!(await mayJoin(trx, adminId, maxMemberships))) return 'too_many'
      const row = await trx
        .insertInto('organizations')
        .values({
          id: randomUUID(),
          slug: values.slug,
          name: values.name,
          profile: toJson(values.profile),
          created_at: now,
        })
        .onConflict((conflict) => conflict.column('slug').doNothing())
        .returningAll()
        .executeTakeFirst()
      if (row === undefined) return 'slug_taken'
      await trx
        .insertInto('organization_members')
        .values({ organization_id: row.id, user_id: adminId, role: 'admin', joined_at: now })
        .execute()
      return toOrganization(row)
    })
  }

  /**
   * Changes the given values of an organization; fields of the profile are merged.
   * @returns undefined if it does not exist
   * @throws a unique violation if the slug is taken
   */
  async update(
    id: string,
    values: {
      readonly slug?: string | undefined
      readonly name?: string | undefined
      readonly profile?: DeveloperProfile | undefined
    },
  ): Promise<Organization | undefined> {
    const { slug, name, profile } = values
    return this.#db.transaction().execute(async (trx) => {
      const row = await lockOrganization(trx, id)
      if (row === undefined) return undefined
      const updated = await trx
        .updateTable('organizations')
        .set({
          slug: slug ?? row.slug,
          name: name ?? row.name,
          profile: toJson({ ...fromJson<DeveloperProfile>(row.profile), ...profile }),
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
      return toOrganization(updated)
    })
  }

  /** Deletes an organization with its memberships and invitations, unless it owns apps. */
  async remove(id: string): Promise<'done' | 'not_found' | 'owns_apps'> {
    return this.#db.transaction().execute(async (trx) => {
      // Apps are added under the same lock, so none can be added in between.
      if ((await lockOrganization(trx, id)) === undefined) return 'not_found'
      const app = await trx
        .selectFrom('apps')
        .select('id')
        .where('organization_id', '=', id)
        .limit(1)
        .executeTakeFirst()
      if (app !== undefined) return 'owns_apps'
      await trx.deleteFrom('organizations').where('id', '=', id).execute()
      return 'done'
    })
  }

  /** Lists the members of an organization in the order in which they joined. */
  async membersOf(organizationId: string): Promise<Member[]> {
    const rows = await this.#db
      .selectFrom('organization_members')
      .innerJoin('users', 'users.id', 'organization_members.user_id')
      .select(['users.id', 'users.email', 'users.name'])
      .select(['organization_members.role', 'organization_members.joined_at'])
      .where('organization_members.organization_id', '=', organizationId)
      .orderBy('organization_members.joined_at')
      .orderBy('users.email')
      .execute()
    return rows.map(({ id, joined_at, ...row }) => ({ ...row, userId: id, joinedAt: joined_at }))
  }

  /** Changes the role of a member. Changes of one organization are serialized. */
  async setRole(organizationId: string, userId: string, role: OrganizationRole): Promise<MemberChange> {
    return this.#changeMember(organizationId, userId, role === 'admin', async (members) => {
      await members
        .updateTable('organization_members')
        .set({ role })
        .where(isMember(organizationId, userId))
        .execute()
    })
  }

  /** Removes a member. Changes of one organization are serialized. */
  async removeMember(organizationId: string, userId: string): Promise<MemberChange> {
    return this.#changeMember(organizationId, userId, false, async (members) => {
      await members.deleteFrom('organization_members').where(isMember(organizationId, userId)).execute()
    })
  }

  async #changeMember(
    organizationId: string,
    userId: string,
    staysAdmin: boolean,
    change: (trx: Transaction<Schema>) => Promise<void>,
  ): Promise<MemberChange> {
    return this.#db.transaction().execute(async (trx) => {
      // Serializes the changes: of two administrators who leave at the same time, the second one sees that it is the last.
      if ((await lockOrganization(trx, organizationId)) === undefined) return 'not_found'
      const members = await trx
        .selectFrom('organization_members')
        .select(['user_id', 'role'])
        .where('organization_id', '=', organizationId)
        .execute()
      const member = members.find(({ user_id }) => user_id === userId)
      if (member === undefined) return 'not_found'
      const admins = members.filter(({ role }) => role === 'admin')
      if (member.role === 'admin' && !staysAdmin && admins.length === 1) return 'last_admin'
      await change(trx)
      return 'done'
    })
  }

  /** Adds a member, or changes its role. @throws a foreign key violation if organization or user do not exist */
  async addMember(
    organizationId: string,
    userId: string,
    role: OrganizationRole,
    now: number,
  ): Promise<void> {
    await this.#db
      .insertInto('organization_members')
      .values({ organization_id: organizationId, user_id: userId, role, joined_at: now })
      .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet({ role }))
      .execute()
  }

  /** Lists the organizations of a user, ordered by slug. */
  async organizationsOf(userId: string): Promise<Membership[]> {
    const rows = await this.#db
      .selectFrom('organization_members')
      .innerJoin('organizations', 'organizations.id', 'organization_members.organization_id')
      .selectAll('organizations')
      .select(['organization_members.role', 'organization_members.joined_at'])
      .where('organization_members.user_id', '=', userId)
      .orderBy('organizations.slug')
      .execute()
    return rows.map((row) => ({ organization: toOrganization(row), role: row.role, joinedAt: row.joined_at }))
  }

  /** Returns the role of a user in an organization; undefined if the user is not a member. */
  async membership(organizationId: string, userId: string): Promise<OrganizationRole | undefined> {
    const row = await this.#db
      .selectFrom('organization_members')
      .select('role')
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    return row?.role
  }

  async #find(column: 'id' | 'slug', value: string): Promise<Organization | undefined> {
    const row = await this.#db
      .selectFrom('organizations')
      .selectAll()
      .where(column, '=', value)
      .executeTakeFirst()
    return row && toOrganization(row)
  }
}

/** Matches the row of a member. */
function isMember(organizationId: string, userId: string) {
  return (e: ExpressionBuilder<Schema, 'organization_members'>) =>
    e.and([e('organization_id', '=', organizationId), e('user_id', '=', userId)])
}

/**
 * Returns whether a user may become a member of one more organization, or is one of it. The transaction has locked the user's
 * row, so that concurrent additions cannot exceed the maximum.
 */
export async function mayJoin(
  trx: Transaction<Schema>,
  userId: string,
  maxMemberships: number,
  organizationId?: string,
): Promise<boolean> {
  const memberships = await trx
    .selectFrom('organization_members')
    .select('organization_id')
    .where('user_id', '=', userId)
    .execute()
  return (
    memberships.length < maxMemberships ||
    memberships.some((membership) => membership.organization_id === organizationId)
  )
}

/** Locks the row of an organization by a no-op update until the transaction ends. */
export async function lockOrganization(
  trx: Transaction<Schema>,
  id: string,
): Promise<Selectable<OrganizationRow> | undefined> {
  return trx.updateTable('organizations').set({ id }).where('id', '=', id).returningAll().executeTakeFirst()
}

function toOrganization(row: Selectable<OrganizationRow>): Organization {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    profile: fromJson(row.profile),
    createdAt: row.created_at,
  }
}
