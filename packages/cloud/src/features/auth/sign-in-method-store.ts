import { randomUUID } from 'node:crypto'
import type { Database } from '../../db/index.ts'
import { PASSWORD_PROVIDER as PASSWORD } from '../../identity/index.ts'

/** A way in which a user signs in, without its secrets. Times are epoch milliseconds. */
export interface SignInMethod {
  readonly id: string
  readonly kind: 'password' | 'issuer'
  /** Id of the issuer. */
  readonly name: string | undefined
  /** Whether a code of an authenticator app is required as well. */
  readonly requiresCode: boolean
  readonly createdAt: number
}

/** Stores the ways in which users sign in, besides passkeys. */
export class SignInMethodStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async list(userId: string): Promise<SignInMethod[]> {
    const methods = await this.#db
      .selectFrom('sign_in_methods')
      .select(['id', 'provider_id', 'created_at'])
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute()
    const factor = await this.#db
      .selectFrom('two_factors')
      .select('id')
      .where('user_id', '=', userId)
      .where('verified', '=', 1)
      .executeTakeFirst()
    return [
      ...methods.map(({ id, provider_id: provider, created_at: createdAt }): SignInMethod => {
        const isPassword = provider === PASSWORD
        return isPassword
          ? { id, kind: 'password', name: undefined, requiresCode: factor !== undefined, createdAt }
          : { id, kind: 'issuer', name: provider, requiresCode: false, createdAt }
      }),
    ]
  }

  /** Returns whether a user has a password, a linked account or a passkey. */
  async hasAny(userId: string): Promise<boolean> {
    for (const table of ['sign_in_methods', 'passkeys'] as const) {
      const query = this.#db.selectFrom(table).select('id').where('user_id', '=', userId).limit(1)
      if ((await query.executeTakeFirst()) !== undefined) return true
    }
    return false
  }

  /** Returns the hash of a user's password. */
  async findPassword(userId: string): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('sign_in_methods')
      .select('password')
      .where('provider_id', '=', PASSWORD)
      .where('account_id', '=', userId)
      .executeTakeFirst()
    return row?.password ?? undefined
  }

  /** Sets the first password of a user. @returns false if they have one */
  async addPassword(userId: string, hash: string, now: number): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#insertPassword(userId, hash, now)
      .onConflict((conflict) => conflict.columns(['provider_id', 'account_id']).doNothing())
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === 1n
  }

  async setPassword(userId: string, hash: string, now: number): Promise<void> {
    await this.#insertPassword(userId, hash, now)
      .onConflict((conflict) =>
        conflict.columns(['provider_id', 'account_id']).doUpdateSet({ password: hash, updated_at: now }),
      )
      .execute()
  }

  /** Replaces the password of a user. @returns false if `hash` is no longer its hash */
  async replacePassword(userId: string, hash: string, newHash: string, now: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('sign_in_methods')
      .set({ password: newHash, updated_at: now })
      .where('provider_id', '=', PASSWORD)
      .where('account_id', '=', userId)
      .where('password', '=', hash)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  }

  #insertPassword(userId: string, hash: string, now: number) {
    const method = { id: randomUUID(), user_id: userId, provider_id: PASSWORD, account_id: userId }
    return this.#db
      .insertInto('sign_in_methods')
      .values({ ...method, password: hash, created_at: now, updated_at: now })
  }

  /** Removes an account at an issuer, unless nothing else signs the user in: `last`. */
  async unlink(userId: string, id: string): Promise<'removed' | 'last' | 'unknown'> {
    return this.#db.transaction().execute(async (trx) => {
      // The no-op update locks the user's row, so that concurrent removals leave one way to sign in.
      await trx.updateTable('users').set({ id: userId }).where('id', '=', userId).execute()
      const methods = await trx
        .selectFrom('sign_in_methods')
        .select(['id', 'provider_id'])
        .where('user_id', '=', userId)
        .execute()
      if (!methods.some((method) => method.id === id && method.provider_id !== PASSWORD)) return 'unknown'
      if (methods.length === 1) {
        const passkey = trx.selectFrom('passkeys').select('id').where('user_id', '=', userId).limit(1)
        if ((await passkey.executeTakeFirst()) === undefined) return 'last'
      }
      await trx.deleteFrom('sign_in_methods').where('id', '=', id).execute()
      return 'removed'
    })
  }
}
