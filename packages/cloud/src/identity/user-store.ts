import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { type Database, fromJson, type Page, toJson, type UserRow } from '../db/index.ts'

/** A user. Times are epoch milliseconds. */
export interface User {
  /** Opaque; apps identify users by e-mail address instead. */
  readonly id: string
  /** Lower case. */
  readonly email: string
  /** Empty by default. */
  readonly name: string
  readonly profile: Readonly<Record<string, string>>
  /** Tokens issued before this time are invalid; 0 if the user never logged out everywhere. */
  readonly tokensValidFrom: number
  readonly createdAt: number
  readonly updatedAt: number
}

type Profile = Readonly<Record<string, string>>

/** Changes to name and profile; omitted fields keep their values. */
export interface UserUpdate {
  readonly name?: string | undefined
  /** Fields to merge into the stored profile, or a function that returns the new profile. */
  readonly profile?: Profile | ((stored: Profile) => Profile) | undefined
}

/** Stores users. */
export class UserStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async findById(id: string): Promise<User | undefined> {
    const row = await this.#db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toUser(row)
  }

  /** @param email in any case */
  async findByEmail(email: string): Promise<User | undefined> {
    const row = await this.#db
      .selectFrom('users')
      .selectAll()
      .where('email', '=', normalEmail(email))
      .executeTakeFirst()
    return row && toUser(row)
  }

  /**
   * Returns the user with an e-mail address, creating it if necessary. Concurrent callers get the same user.
   * @param id id of a new user
   * @throws a unique violation if `id` belongs to a user with another address
   */
  async findOrCreate(email: string, now: number, id: string = randomUUID()): Promise<User> {
    const existing = await this.findByEmail(email)
    if (existing) return existing
    const row = await this.#db
      .insertInto('users')
      .values({
        id,
        email: normalEmail(email),
        name: '',
        profile: toJson({}),
        tokens_valid_from: 0,
        created_at: now,
        updated_at: now,
      })
      // The no-op update returns the row of a concurrent insert.
      .onConflict((conflict) =>
        conflict.column('email').doUpdateSet((e) => ({ email: e.ref('excluded.email') })),
      )
      .returningAll()
      .executeTakeFirstOrThrow()
    return toUser(row)
  }

  /**
   * Updates name and profile. Concurrent updates are serialized.
   * @returns undefined if the user does not exist
   * @throws the error of the `profile` function; nothing is changed then
   */
  async update(id: string, update: UserUpdate, now: number): Promise<User | undefined> {
    return this.#db.transaction().execute(async (trx) => {
      // Write first: on PostgreSQL this locks the row until the profile is written.
      const row = await trx
        .updateTable('users')
        .set({ updated_at: now, ...(update.name !== undefined && { name: update.name }) })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      if (!row || !update.profile) return row && toUser(row)
      const stored = fromJson<Profile>(row.profile)
      const profile = toJson(
        typeof update.profile === 'function' ? update.profile(stored) : { ...stored, ...update.profile },
      )
      await trx.updateTable('users').set({ profile }).where('id', '=', id).execute()
      return toUser({ ...row, profile })
    })
  }

  /** Invalidates tokens issued before `from` (epoch ms); an earlier time than the stored one is ignored. */
  async setTokensValidFrom(id: string, from: number): Promise<void> {
    await this.#db
      .updateTable('users')
      .set({ tokens_valid_from: from })
      .where('id', '=', id)
      .where('tokens_valid_from', '<', from)
      .execute()
  }

  /** Lists users ordered by e-mail address. */
  async list(page: Page = {}): Promise<User[]> {
    let query = this.#db.selectFrom('users').selectAll().orderBy('email')
    if (page.after !== undefined) query = query.where('email', '>', normalEmail(page.after))
    if (page.limit !== undefined) query = query.limit(page.limit)
    return (await query.execute()).map(toUser)
  }

  /**
   * Deletes a user with all dependent rows, and stores the hash of the address.
   * @param emailHash keyed hash of the address (`hashEmail`)
   * @returns whether the user existed
   */
  async remove(id: string, emailHash: string, now: number): Promise<boolean> {
    return this.#db.transaction().execute(async (trx) => {
      const { numDeletedRows } = await trx.deleteFrom('users').where('id', '=', id).executeTakeFirstOrThrow()
      if (numDeletedRows === 0n) return false
      await trx
        .insertInto('deleted_users')
        .values({ email_hash: emailHash, deleted_at: now })
        .onConflict((conflict) => conflict.column('email_hash').doUpdateSet({ deleted_at: now }))
        .execute()
      return true
    })
  }

  /**
   * Returns when the user with an address was last deleted (epoch ms). Tokens issued before belong to the deleted user.
   * @param emailHash keyed hash of the address (`hashEmail`)
   */
  async deletedAt(emailHash: string): Promise<number | undefined> {
    const row = await this.#db
      .selectFrom('deleted_users')
      .select('deleted_at')
      .where('email_hash', '=', emailHash)
      .executeTakeFirst()
    return row?.deleted_at
  }
}

function toUser(row: Selectable<UserRow>): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    profile: fromJson(row.profile),
    tokensValidFrom: row.tokens_valid_from,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Normalizes an address, so that no address has two users (decision I1). */
function normalEmail(email: string): string {
  return email.trim().toLowerCase()
}
