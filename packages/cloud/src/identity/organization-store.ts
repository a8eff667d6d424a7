import { randomUUID } from 'node:crypto'
import type { DeveloperProfile } from '@glasses-cloud/contract'
import type { Selectable } from 'kysely'
import { type Database, fromJson, type OrganizationRole, type OrganizationRow, toJson } from '../db/index.ts'

/** An organization that makes apps. */
export interface Organization {
  readonly id: string
  /** Unique, for people to write. */
  readonly slug: string
  readonly name: string
  readonly profile: DeveloperProfile
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** What a user is in an organization. */
export interface Membership {
  readonly organization: Organization
  readonly role: OrganizationRole
  /** Epoch milliseconds. */
  readonly joinedAt: number
}

/** Organizations and who belongs to them. */
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

  /** The organization of a slug, made if there is none. A name or profile given replaces the stored one. */
  async ensure(
    slug: string,
    given: { name?: string | undefined; profile?: DeveloperProfile | undefined },
    now: number,
  ): Promise<Organization> {
    const row = await this.#db
      .insertInto('organizations')
      .values({
        id: randomUUID(),
        slug,
        name: given.name ?? slug,
        profile: toJson(given.profile ?? {}),
        created_at: now,
      })
      .onConflict((conflict) =>
        conflict.column('slug').doUpdateSet((e) => ({
          slug,
          ...(given.name !== undefined && { name: e.ref('excluded.name') }),
          ...(given.profile !== undefined && { profile: e.ref('excluded.profile') }),
        })),
      )
      .returningAll()
      .executeTakeFirstOrThrow()
    return toOrganization(row)
  }

  /** Makes a user a member, or changes the role of one. Fails when organization or user do not exist. */
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

  /** Every organization a user belongs to, ordered by slug. */
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

  /** The role of a user in an organization; undefined for a stranger. */
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
