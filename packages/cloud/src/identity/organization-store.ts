import { randomUUID } from 'node:crypto'
import type { DeveloperProfile } from '@glasses-cloud/contract'
import type { Selectable } from 'kysely'
import { type Database, fromJson, type OrganizationRole, type OrganizationRow, toJson } from '../db/index.ts'

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

function toOrganization(row: Selectable<OrganizationRow>): Organization {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    profile: fromJson(row.profile),
    createdAt: row.created_at,
  }
}
