import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { type Database, fromJson, type Page, toJson, type UserRow } from '../db/index.ts'

/** An account. Times are epoch milliseconds. */
export interface User {
  /** Opaque; never shown to apps, which know users by e-mail. */
  readonly id: string
  /** Lower case. */
  readonly email: string
  /** Empty until the user gives one. */
  readonly name: string
  readonly profile: Readonly<Record<string, string>>
  /** Tokens issued before are void; 0 while the user never logged out everywhere. */
  readonly tokensValidFrom: number
  readonly createdAt: number
  readonly updatedAt: number
}

type Profile = Readonly<Record<string, string>>

/** What a profile update changes; what it leaves out stays. */
export interface UserUpdate {
  readonly name?: string | undefined
  /** Merged field by field into the stored profile; or what makes the new profile of the stored one. */
  readonly profile?: Profile | ((stored: Profile) => Profile) | undefined
}

/** Accounts. */
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
   * The user of an e-mail address, made if there is none; callers at the same time get the same user.
   * @param id the id a new user gets, when it was settled elsewhere (the `sub` of a token)
   * @throws a unique violation when `id` is given and belongs to a user of another address
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
      // Writing nothing new makes the row of whoever was faster come back.
      .onConflict((conflict) =>
        conflict.column('email').doUpdateSet((e) => ({ email: e.ref('excluded.email') })),
      )
      .returningAll()
      .executeTakeFirstOrThrow()
    return toUser(row)
  }

  /**
   * Changes name and profile; updates at the same time lose nothing of each other.
   * @returns nothing when there is no such user
   * @throws what making the new profile throws; nothing is changed then
   */
  async update(id: string, update: UserUpdate, now: number): Promise<User | undefined> {
    return this.#db.transaction().execute(async (trx) => {
      // The first statement writes, so that on PostgreSQL too nobody else changes the profile in between.
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

  /** Voids every token issued before `from` (epoch ms). A later time stands against an earlier one. */
  async setTokensValidFrom(id: string, from: number): Promise<void> {
    await this.#db
      .updateTable('users')
      .set({ tokens_valid_from: from })
      .where('id', '=', id)
      .where('tokens_valid_from', '<', from)
      .execute()
  }

  /** Users ordered by e-mail. */
  async list(page: Page = {}): Promise<User[]> {
    let query = this.#db.selectFrom('users').selectAll().orderBy('email')
    if (page.after !== undefined) query = query.where('email', '>', normalEmail(page.after))
    if (page.limit !== undefined) query = query.limit(page.limit)
    return (await query.execute()).map(toUser)
  }

  /**
   * Removes a user with everything that hangs on the row, and remembers the hash of the address.
   * @param emailHash keyed hash of the address, so that the mark left behind says nothing by itself
   * @returns whether there was such a user
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
   * When the account of an address was last deleted (epoch ms): tokens issued before are those of a deleted user.
   * @param emailHash the hash given to {@link remove}
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

/** Lower case wherever an address enters (decision I1), so that none has two accounts. */
function normalEmail(email: string): string {
  return email.trim().toLowerCase()
}
