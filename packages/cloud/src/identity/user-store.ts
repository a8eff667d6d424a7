import { randomUUID } from 'node:crypto'
import type { Insertable, Selectable } from 'kysely'
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
  readonly isAdministrator: boolean
  /** Whether the user has proven to own the address. */
  readonly isEmailVerified: boolean
  /** Whether a sign-in with the password requires a code of an authenticator app. */
  readonly hasSecondFactor: boolean
  /** Since when the user has no access; undefined if they have. */
  readonly suspendedAt: number | undefined
  readonly createdAt: number
  readonly updatedAt: number
}

type Profile = Readonly<Record<string, string>>

/** The step of the set-up that is completed once there was an administrator. */
export const FIRST_ADMINISTRATOR = 'first-administrator'

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

  /** @param ids at most 256 */
  async findByIds(ids: readonly string[]): Promise<User[]> {
    const rows = await this.#db.selectFrom('users').selectAll().where('id', 'in', ids).execute()
    return rows.map(toUser)
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
    const row = await this.#insert({ id, email }, now)
      // The no-op update returns the row of a concurrent insert.
      .onConflict((conflict) =>
        conflict.column('email').doUpdateSet((e) => ({ email: e.ref('excluded.email') })),
      )
      .executeTakeFirstOrThrow()
    return toUser(row)
  }

  #insert(
    { id = randomUUID(), email, name = '' }: { id?: string; email: string; name?: string },
    now: number,
  ) {
    const times = { created_at: now, updated_at: now }
    const values = {
      id,
      email: normalEmail(email),
      name,
      profile: toJson({}),
      tokens_valid_from: 0,
      ...times,
    }
    return this.#db.insertInto('users').values(values).returningAll()
  }

  /** Creates a user. @returns undefined if the address belongs to another */
  async create(email: string, name: string, now: number): Promise<User | undefined> {
    const query = this.#insert({ email, name }, now)
    const row = await query.onConflict((conflict) => conflict.column('email').doNothing()).executeTakeFirst()
    return row && toUser(row)
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

  /**
   * Makes a user an administrator, or no longer one. It is stored that there was one, so that no later account becomes the
   * first administrator.
   * @returns whether the user exists
   */
  async setAdministrator(id: string, isAdministrator: boolean, now: number): Promise<boolean> {
    const exists = await this.#set(id, { is_administrator: isAdministrator ? 1 : 0, updated_at: now })
    if (exists && isAdministrator)
      await this.#db
        .insertInto('set_up')
        .values({ step: FIRST_ADMINISTRATOR, completed_at: now })
        .onConflict((conflict) => conflict.column('step').doNothing())
        .execute()
    return exists
  }

  /**
   * Suspends a user, or ends the suspension. All tokens of a suspended user are rejected.
   * @param suspendedAt epoch ms; null ends the suspension
   * @returns whether the user exists
   */
  async setSuspended(id: string, suspendedAt: number | null, now: number): Promise<boolean> {
    return this.#set(id, { suspended_at: suspendedAt, updated_at: now })
  }

  /** Records that the user has proven to own their e-mail address. @returns whether the user exists */
  async setEmailVerified(id: string, now: number): Promise<boolean> {
    return this.#set(id, { email_verified: 1, updated_at: now })
  }

  /**
   * Gives the account of an unproven address to the person who has proven to own it: ways to sign in and tokens that
   * somebody else may have created before are removed.
   * @param options.keepPassword whether that person has set the password
   * @returns the user as they are now; undefined if they do not exist, or the address was proven before
   */
  async claimEmail(
    id: string,
    now: number,
    { keepPassword = false }: { readonly keepPassword?: boolean } = {},
  ): Promise<User | undefined> {
    return this.#db.transaction().execute(async (trx) => {
      const row = await trx
        .updateTable('users')
        .set({ email_verified: 1, two_factor_enabled: 0, updated_at: now })
        .where('id', '=', id)
        .where('email_verified', '=', 0)
        .returningAll()
        .executeTakeFirst()
      if (row === undefined) return undefined
      const methods = trx.deleteFrom('sign_in_methods').where('user_id', '=', id)
      await (keepPassword ? methods.where('provider_id', '<>', 'credential') : methods).execute()
      for (const table of [
        'two_factors',
        'passkeys',
        'device_codes',
        'logins',
        'known_browsers',
        'personal_tokens',
      ] as const)
        await trx.deleteFrom(table).where('user_id', '=', id).execute()
      return toUser(row)
    })
  }

  async #set(
    id: string,
    values: Partial<
      Pick<Insertable<UserRow>, 'is_administrator' | 'suspended_at' | 'email_verified' | 'updated_at'>
    >,
  ): Promise<boolean> {
    const query = this.#db.updateTable('users').set(values).where('id', '=', id)
    return (await query.executeTakeFirstOrThrow()).numUpdatedRows > 0n
  }

  /** Returns the number of users. */
  async count(): Promise<number> {
    const { count } = await this.#db
      .selectFrom('users')
      .select((e) => e.fn.countAll<number | string>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
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
    isAdministrator: row.is_administrator === 1,
    isEmailVerified: row.email_verified === 1,
    hasSecondFactor: row.two_factor_enabled === 1,
    suspendedAt: row.suspended_at ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Normalizes an address, so that no address has two users (decision I1). */
function normalEmail(email: string): string {
  return email.trim().toLowerCase()
}
