import { randomBytes } from 'node:crypto'
import type { ExpressionBuilder, Selectable } from 'kysely'
import type { Database, Schema, SignUpInvitationRow } from '../../../db/index.ts'
import { hashSecret } from '../../../identity/index.ts'

/** How long an invitation is valid. */
const INVITATION_LIFETIME_MS = 7 * 24 * 60 * 60_000

/** Invitations that may be open at a time. */
export const MAX_INVITATIONS = 10_000

/** An invitation to create an account; its token is not stored. Times are epoch milliseconds. */
export interface SignUpInvitation {
  readonly id: string
  /** Undefined: anybody who has the token may use it. */
  readonly email: string | undefined
  readonly createdAt: number
  readonly expiresAt: number
}

/** Stores invitations to create an account. Each can be used once. */
export class SignUpInvitationStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** @returns the invitation and its token; undefined if there are `MAX_INVITATIONS` */
  async create(
    id: string,
    email: string | undefined,
    now: number,
  ): Promise<{ readonly invitation: SignUpInvitation; readonly token: string } | undefined> {
    await this.removeExpired(now)
    const { count } = await this.#db
      .selectFrom('sign_up_invitations')
      .select((e) => e.fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    if (Number(count) >= MAX_INVITATIONS) return undefined
    const token = randomBytes(32).toString('base64url')
    const invitation = { id, email, createdAt: now, expiresAt: now + INVITATION_LIFETIME_MS }
    await this.#db
      .insertInto('sign_up_invitations')
      .values({
        id,
        token_hash: hashSecret(token),
        invited_email: email ?? null,
        created_at: invitation.createdAt,
        expires_at: invitation.expiresAt,
      })
      .execute()
    return { invitation, token }
  }

  /** Returns the invitation of a token, unless it is unknown, expired or for another address. */
  async find(token: string, email: string, now: number): Promise<SignUpInvitation | undefined> {
    const query = this.#db.selectFrom('sign_up_invitations').selectAll()
    const row = await query.where((e) => isValid(e, token, email, now)).executeTakeFirst()
    return row && toInvitation(row)
  }

  /** Uses up the invitation of a token. @returns it, unless it is unknown, expired or for another address */
  async take(token: string, email: string, now: number): Promise<SignUpInvitation | undefined> {
    const query = this.#db.deleteFrom('sign_up_invitations').returningAll()
    const row = await query.where((e) => isValid(e, token, email, now)).executeTakeFirst()
    return row && toInvitation(row)
  }

  /** Lists the open invitations, newest first. */
  async list(now: number): Promise<SignUpInvitation[]> {
    const rows = await this.#db
      .selectFrom('sign_up_invitations')
      .selectAll()
      .where('expires_at', '>', now)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(1_000)
      .execute()
    return rows.map(toInvitation)
  }

  /** @returns whether the invitation existed */
  async remove(id: string): Promise<boolean> {
    const query = this.#db.deleteFrom('sign_up_invitations').where('id', '=', id)
    return (await query.executeTakeFirstOrThrow()).numDeletedRows > 0n
  }

  /** Removes the invitations that name an address. */
  async removeFor(email: string): Promise<void> {
    await this.#db.deleteFrom('sign_up_invitations').where('invited_email', '=', email).execute()
  }

  async removeExpired(now: number): Promise<void> {
    await this.#db.deleteFrom('sign_up_invitations').where('expires_at', '<=', now).execute()
  }
}

function isValid(
  e: ExpressionBuilder<Schema, 'sign_up_invitations'>,
  token: string,
  email: string,
  now: number,
) {
  return e.and([
    e('token_hash', '=', hashSecret(token)),
    e('expires_at', '>', now),
    e.or([e('invited_email', 'is', null), e('invited_email', '=', email)]),
  ])
}

function toInvitation(row: Selectable<SignUpInvitationRow>): SignUpInvitation {
  return {
    id: row.id,
    email: row.invited_email ?? undefined,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
