import { randomUUID } from 'node:crypto'
import type { Insertable, Selectable, Transaction } from 'kysely'
import {
  type Database,
  fromJson,
  inTransaction,
  locksRows,
  type Page,
  type Schema,
  toJson,
  type UserRow,
} from '../db/index.ts'

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

/** The provider of passwords among the ways to sign in; the others are ids of issuers. */
export const PASSWORD_PROVIDER = 'credential'

/** What the account of the new holder of an address starts with. */
export interface NewHolder {
  readonly name?: string | undefined
  readonly passwordHash?: string | undefined
}

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
   * Returns the user with an e-mail address, creating it if necessary, with a confirmed address: the operator or another
   * issuer named it. Concurrent callers get the same user.
   * @param id id of a new user
   * @throws a unique violation if `id` belongs to a user with another address
   */
  async findOrCreate(email: string, now: number, id: string = randomUUID()): Promise<User> {
    const existing = await this.findByEmail(email)
    if (existing) return existing
    const row = await this.#insert({ id, email, isEmailVerified: true }, now)
      // The no-op update returns the row of a concurrent insert.
      .onConflict((conflict) =>
        conflict.column('email').doUpdateSet((e) => ({ email: e.ref('excluded.email') })),
      )
      .executeTakeFirstOrThrow()
    return toUser(row)
  }

  #insert(
    {
      id = randomUUID(),
      email,
      name = '',
      isEmailVerified,
    }: { id?: string; email: string; name?: string; isEmailVerified: boolean },
    now: number,
  ) {
    const times = { created_at: now, updated_at: now }
    const values = {
      id,
      email: normalEmail(email),
      name,
      profile: toJson({}),
      tokens_valid_from: 0,
      email_verified: isEmailVerified ? 1 : 0,
      ...times,
    }
    return this.#db.insertInto('users').values(values).returningAll()
  }

  /** Creates a user. @returns undefined if the address belongs to another */
  async create(
    email: string,
    name: string,
    now: number,
    { isEmailVerified = false }: { readonly isEmailVerified?: boolean } = {},
  ): Promise<User | undefined> {
    const query = this.#insert({ email, name, isEmailVerified }, now)
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
   * Deletes a user with all dependent rows, and stores the hash of the address. If the address is claimed, a new account
   * takes the place of the old one instead; a suspension remains.
   * @param emailHash keyed hash of the address (`hashEmail`); undefined for an unconfirmed address, which tokens of other
   *   issuers cannot have named
   * @returns whether the user existed
   */
  async remove(id: string, emailHash: string | undefined, now: number): Promise<boolean> {
    return this.#db.transaction().execute(async (trx) => {
      // Locks the row, so that a claim has either been recorded or finds no user.
      const row = await trx
        .updateTable('users')
        .set({ id })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      if (row === undefined) return false
      const deletion = await trx
        .selectFrom('deletions')
        .select('claim')
        .where('user_id', '=', id)
        .executeTakeFirst()
      await trx.deleteFrom('users').where('id', '=', id).execute()
      if (typeof deletion?.claim === 'string') await createClaimed(trx, row, fromJson(deletion.claim), now)
      else if (emailHash !== undefined)
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

/** The deletion of the account has begun or is complete, so that nothing is stored for its user any more. */
export class AccountEnded extends Error {
  constructor() {
    super('The account is being deleted')
  }
}

/**
 * Locks the row of a user until the transaction ends. The beginning of a deletion locks it too: what the transaction
 * writes is stored before a deletion begins, whose steps then find it.
 * @returns false if the user does not exist or is being deleted
 */
export async function lockUser(trx: Transaction<Schema>, id: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ id })
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  // A query of its own: on PostgreSQL it sees a deletion that began while this transaction waited for the row.
  const deletion = await trx
    .selectFrom('deletions')
    .select('user_id')
    .where('user_id', '=', id)
    .executeTakeFirst()
  return deletion === undefined
}

/**
 * Runs a change that a user asked for in a transaction that locks the row of the user ({@link lockUser}).
 * @throws AccountEnded if the user does not exist or is being deleted; nothing is changed then
 */
export async function writeAs<Result>(
  db: Database,
  userId: string,
  change: (trx: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  return inTransaction(db, async (trx) => {
    if (!(await lockUser(trx, userId))) throw new AccountEnded()
    return change(trx)
  })
}

/** Creates the account of the new holder of an address. */
async function createClaimed(
  db: Database,
  { email, suspended_at }: Selectable<UserRow>,
  { name = '', passwordHash }: NewHolder,
  now: number,
): Promise<void> {
  const created = await new UserStore(db).create(email, name, now, { isEmailVerified: true })
  if (created === undefined) throw new Error('The address of a claim has another account')
  if (suspended_at !== null) await new UserStore(db).setSuspended(created.id, suspended_at, now)
  if (passwordHash === undefined) return
  const method = {
    id: randomUUID(),
    user_id: created.id,
    provider_id: PASSWORD_PROVIDER,
    account_id: created.id,
  }
  await db
    .insertInto('sign_in_methods')
    .values({ ...method, password: passwordHash, created_at: now, updated_at: now })
    .execute()
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

/** A change would leave the cloud without an administrator. */
export class LastAdministrator extends Error {
  constructor() {
    super('The user is the last administrator')
  }
}

/**
 * Requires an administrator to remain when a user is deleted, suspended or made an ordinary one in the same transaction.
 * Of administrators who do so at the same time, on any node, each waits for the one before. Call it first, so that locks are
 * always acquired in the same order.
 * @param trx a transaction
 * @throws LastAdministrator
 */
export async function requireOtherAdministrator(trx: Database, userId: string): Promise<void> {
  let administrators = trx.selectFrom('users').select('id').where('is_administrator', '=', 1).orderBy('id')
  if (locksRows(trx)) administrators = administrators.forUpdate()
  await administrators.execute()
  // A query of its own: it sees what the transaction waited for.
  if (await isLastAdministrator(trx, userId)) throw new LastAdministrator()
}

/** Returns whether a user is the only administrator who has access. */
export async function isLastAdministrator(db: Database, userId: string): Promise<boolean> {
  const administrators = await db
    .selectFrom('users')
    .select('id')
    .where('is_administrator', '=', 1)
    .where('suspended_at', 'is', null)
    .where('id', 'not in', (e) => e.selectFrom('deletions').select('user_id'))
    .limit(2)
    .execute()
  return administrators.length === 1 && administrators[0]?.id === userId
}
