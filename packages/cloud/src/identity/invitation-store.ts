import { randomUUID } from 'node:crypto'
import type { ExpressionBuilder, Selectable } from 'kysely'
import type { Database, OrganizationInvitationRow, OrganizationRole, Schema } from '../db/index.ts'
import { lockOrganization, mayJoin } from './organization-store.ts'
import { writeAs } from './user-store.ts'

/** A pending invitation of an e-mail address to an organization. */
export interface Invitation {
  readonly id: string
  readonly organizationId: string
  /** Lower case. */
  readonly email: string
  readonly role: OrganizationRole
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** The tokens of an invitation are not stored, only their hashes. */
export interface InvitationTokens {
  /** Hex SHA-256 of the token in the message to the address, whose owner alone knows it. */
  readonly hash: string
  /** Hex SHA-256 of the token for the person who invites, which proves no address; undefined if they receive none. */
  readonly linkHash?: string | undefined
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** The values of an invitation. */
export interface NewInvitation {
  readonly organizationId: string
  /** Lower case. */
  readonly email: string
  readonly role: OrganizationRole
}

/** Why an invitation was not stored. */
export type InvitationRejection = 'not_found' | 'already_member' | 'too_many'

/** Stores invitations to organizations. */
export class InvitationStore {
  readonly #db: Database
  readonly #maxPending: number

  /** @param maxPending pending invitations of an organization */
  constructor(db: Database, maxPending: number) {
    this.#db = db
    this.#maxPending = maxPending
  }

  /** Stores an invitation; it replaces a pending one of the same address, whose tokens become invalid. */
  async add(
    { organizationId, email, role }: NewInvitation,
    tokens: InvitationTokens,
    now: number,
  ): Promise<Invitation | InvitationRejection> {
    return this.#db.transaction().execute(async (trx) => {
      if ((await lockOrganization(trx, organizationId)) === undefined) return 'not_found'
      const member = await trx
        .selectFrom('organization_members')
        .innerJoin('users', 'users.id', 'organization_members.user_id')
        .select('users.id')
        .where('organization_members.organization_id', '=', organizationId)
        .where('users.email', '=', email)
        .executeTakeFirst()
      if (member !== undefined) return 'already_member'
      await trx
        .deleteFrom('organization_invitations')
        .where('organization_id', '=', organizationId)
        .where((e) => e.or([e('email', '=', email), e('expires_at', '<=', now)]))
        .execute()
      const { count } = await trx
        .selectFrom('organization_invitations')
        .select((e) => e.fn.countAll<number | string>().as('count'))
        .where('organization_id', '=', organizationId)
        .executeTakeFirstOrThrow()
      if (Number(count) >= this.#maxPending) return 'too_many'
      const row = await trx
        .insertInto('organization_invitations')
        .values({
          id: randomUUID(),
          organization_id: organizationId,
          email,
          role,
          token_hash: tokens.hash,
          link_hash: tokens.linkHash ?? null,
          created_at: now,
          expires_at: tokens.expiresAt,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toInvitation(row)
    })
  }

  /** Returns the address of an invitation. */
  async findEmail(organizationId: string, id: string): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('organization_invitations')
      .select('email')
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst()
    return row?.email
  }

  /** Replaces the tokens of an invitation, which extends it. @returns undefined if it does not exist */
  async renew(organizationId: string, id: string, tokens: InvitationTokens): Promise<Invitation | undefined> {
    const row = await this.#db
      .updateTable('organization_invitations')
      .set({ token_hash: tokens.hash, link_hash: tokens.linkHash ?? null, expires_at: tokens.expiresAt })
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      .returningAll()
      .executeTakeFirst()
    return row && toInvitation(row)
  }

  /** @returns whether the invitation existed */
  async remove(organizationId: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('organization_invitations')
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  }

  /** Lists the invitations of an organization that have not expired, oldest first. */
  async listByOrganization(organizationId: string, now: number): Promise<Invitation[]> {
    const rows = await this.#db
      .selectFrom('organization_invitations')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('expires_at', '>', now)
      .orderBy('created_at')
      .orderBy('email')
      .execute()
    return rows.map(toInvitation)
  }

  /** Lists the invitations of an address with the name of the organization, oldest first; none of an unconfirmed one. */
  async listByEmail(email: string): Promise<(Invitation & { readonly organizationName: string })[]> {
    const rows = await this.#db
      .selectFrom('organization_invitations')
      .innerJoin('organizations', 'organizations.id', 'organization_invitations.organization_id')
      .innerJoin('users', 'users.email', 'organization_invitations.email')
      .selectAll('organization_invitations')
      .select('organizations.name as organization_name')
      .where('organization_invitations.email', '=', email)
      .where('users.email_verified', '=', 1)
      .orderBy('organization_invitations.created_at')
      .execute()
    return rows.map((row) => ({ ...toInvitation(row), organizationName: row.organization_name }))
  }

  /**
   * Finds the valid invitation of an address by one of its tokens.
   * @returns whether the token was sent to the address; undefined if there is none
   */
  async findInvited(
    tokenHash: string,
    email: string,
    now: number,
  ): Promise<{ readonly provesEmail: boolean } | undefined> {
    const row = await this.#db
      .selectFrom('organization_invitations')
      .select('token_hash')
      .where(hasToken(tokenHash))
      .where('email', '=', email)
      .where('expires_at', '>', now)
      .executeTakeFirst()
    return row && { provesEmail: row.token_hash === tokenHash }
  }

  async removeByEmail(email: string): Promise<void> {
    await this.#db.deleteFrom('organization_invitations').where('email', '=', email).execute()
  }

  /**
   * Redeems an invitation once: makes the user a member, confirms the address if the token was sent to it, and deletes the
   * invitation. A user who became a member meanwhile keeps the role.
   * @param user the user with the invited address
   * @param maxMemberships organizations that the user may belong to
   * @returns the id of the organization; undefined if the token is unknown, expired or used
   * @throws AccountEnded
   */
  async accept(
    tokenHash: string,
    user: { readonly id: string; readonly email: string },
    maxMemberships: number,
    now: number,
  ): Promise<string | 'another_address' | 'too_many' | undefined> {
    return writeAs(this.#db, user.id, async (trx) => {
      const found = await trx
        .selectFrom('organization_invitations')
        .select(['email', 'organization_id'])
        .where(hasToken(tokenHash))
        .where('expires_at', '>', now)
        .executeTakeFirst()
      if (found === undefined) return undefined
      if (found.email !== user.email) return 'another_address'
      if (!(await mayJoin(trx, user.id, maxMemberships, found.organization_id))) return 'too_many'
      // Only one of several concurrent calls deletes the row.
      const invitation = await trx
        .deleteFrom('organization_invitations')
        .where(hasToken(tokenHash))
        .returningAll()
        .executeTakeFirst()
      if (invitation === undefined) return undefined
      await trx
        .insertInto('organization_members')
        .values({
          organization_id: invitation.organization_id,
          user_id: user.id,
          role: invitation.role,
          joined_at: now,
        })
        .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doNothing())
        .execute()
      if (invitation.token_hash === tokenHash)
        await trx
          .updateTable('users')
          .set({ email_verified: 1, updated_at: now })
          .where('id', '=', user.id)
          .where('email_verified', '=', 0)
          .execute()
      return invitation.organization_id
    })
  }
}

/** Matches the invitation of either token. */
function hasToken(hash: string) {
  return (e: ExpressionBuilder<Schema, 'organization_invitations'>) =>
    e.or([e('token_hash', '=', hash), e('link_hash', '=', hash)])
}

function toInvitation(row: Selectable<OrganizationInvitationRow>): Invitation {
  return {
    id: row.id,
    organizationId: row.organization_id,
    email: row.email,
    role: row.role,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
