import type { Selectable } from 'kysely'
import { type Database, fromJson, type PersonalTokenRow, toJson } from '../db/index.ts'
import { lastUseOf, type Use } from './last-use-store.ts'
import { writeAs } from './user-store.ts'

/** What personal access tokens can authorize. */
export const PERSONAL_TOKEN_SCOPES = ['apps:read', 'apps:write', 'account'] as const

/** See {@link PERSONAL_TOKEN_SCOPES}. */
export type PersonalTokenScope = (typeof PERSONAL_TOKEN_SCOPES)[number]

/** Live personal tokens per user. */
export const MAX_PERSONAL_TOKENS = 50

/** A personal access token; the token itself is not stored. Times are epoch milliseconds. */
export interface PersonalToken {
  readonly id: string
  readonly userId: string
  readonly name: string
  readonly scopes: readonly PersonalTokenScope[]
  /** Hex SHA-256 of the whole token. */
  readonly hash: string
  readonly createdAt: number
  readonly expiresAt: number
  /** Undefined if it was never used. */
  readonly lastUse: Use | undefined
}

/** Stores personal access tokens. */
export class PersonalTokenStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Adds a token and deletes expired ones of the user.
   * @returns false if the user has `MAX_PERSONAL_TOKENS` live ones
   * @throws AccountEnded
   */
  async add(token: Omit<PersonalToken, 'lastUse'>): Promise<boolean> {
    const { id, userId, name, scopes, hash, createdAt, expiresAt } = token
    // The lock also prevents concurrent additions from exceeding the maximum.
    return writeAs(this.#db, userId, async (trx) => {
      await trx
        .deleteFrom('personal_tokens')
        .where('user_id', '=', userId)
        .where('expires_at', '<=', createdAt)
        .execute()
      const live = await trx
        .selectFrom('personal_tokens')
        .select('id')
        .where('user_id', '=', userId)
        .limit(MAX_PERSONAL_TOKENS)
        .execute()
      if (live.length >= MAX_PERSONAL_TOKENS) return false
      await trx
        .insertInto('personal_tokens')
        .values({
          id,
          user_id: userId,
          name,
          scopes: toJson(scopes),
          token_hash: hash,
          created_at: createdAt,
          expires_at: expiresAt,
        })
        .execute()
      return true
    })
  }

  /** Finds a token that has not expired. */
  async findLive(id: string, now: number): Promise<PersonalToken | undefined> {
    const row = await this.#db
      .selectFrom('personal_tokens')
      .selectAll()
      .where('id', '=', id)
      .where('expires_at', '>', now)
      .executeTakeFirst()
    return row && toPersonalToken(row)
  }

  /** Lists the tokens of a user, newest first. */
  async list(userId: string): Promise<PersonalToken[]> {
    const rows = await this.#db
      .selectFrom('personal_tokens')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .execute()
    return rows.map(toPersonalToken)
  }

  /** Removes all tokens of a user. */
  async removeAll(userId: string): Promise<void> {
    await this.#db.deleteFrom('personal_tokens').where('user_id', '=', userId).execute()
  }

  /** @returns whether the token existed and belonged to the user */
  async remove(userId: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('personal_tokens')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  }
}

function toPersonalToken(row: Selectable<PersonalTokenRow>): PersonalToken {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    scopes: fromJson(row.scopes),
    hash: row.token_hash,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUse: lastUseOf(row),
  }
}
