import { randomUUID } from 'node:crypto'
import type { Database } from '../../../db/index.ts'

/** What a user's authenticator app and backup codes are verified with, encrypted. */
export interface SecondFactor {
  readonly id: string
  readonly secret: string
  readonly backupCodes: string
  /** Whether a code of the app was verified, so that sign-ins require one. */
  readonly isActive: boolean
}

/** Stores second factors, at most one per user. */
export class SecondFactorStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async find(userId: string): Promise<SecondFactor | undefined> {
    const row = await this.#db
      .selectFrom('two_factors')
      .select(['id', 'secret', 'backup_codes', 'verified'])
      .where('user_id', '=', userId)
      .orderBy('verified', 'desc')
      .executeTakeFirst()
    return (
      row && { id: row.id, secret: row.secret, backupCodes: row.backup_codes, isActive: row.verified === 1 }
    )
  }

  /** Adds a factor that is not active yet, in place of another such. @returns false if one is active */
  async prepare(userId: string, secret: string, backupCodes: string): Promise<boolean> {
    return this.#db.transaction().execute(async (trx) => {
      // The no-op update locks the user's row, so that concurrent calls leave one factor.
      await trx.updateTable('users').set({ id: userId }).where('id', '=', userId).execute()
      const factors = trx.selectFrom('two_factors').select('id').where('user_id', '=', userId)
      if ((await factors.where('verified', '=', 1).executeTakeFirst()) !== undefined) return false
      await trx.deleteFrom('two_factors').where('user_id', '=', userId).execute()
      const values = { id: randomUUID(), user_id: userId, secret, backup_codes: backupCodes, verified: 0 }
      await trx.insertInto('two_factors').values(values).execute()
      return true
    })
  }

  /** Makes sign-ins require a factor. @returns false if it was replaced, removed or activated meanwhile */
  async activate(userId: string, { id }: SecondFactor, now: number): Promise<boolean> {
    return this.#db.transaction().execute(async (trx) => {
      // The no-op update locks the user's row first, as the other changes do.
      await trx.updateTable('users').set({ id: userId }).where('id', '=', userId).execute()
      const { numUpdatedRows } = await trx
        .updateTable('two_factors')
        .set({ verified: 1 })
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .where('verified', '=', 0)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) return false
      const user = { two_factor_enabled: 1, updated_at: now }
      await trx.updateTable('users').set(user).where('id', '=', userId).execute()
      return true
    })
  }

  async remove(userId: string, now: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const user = { two_factor_enabled: 0, updated_at: now }
      await trx.updateTable('users').set(user).where('id', '=', userId).execute()
      await trx.deleteFrom('two_factors').where('user_id', '=', userId).execute()
    })
  }

  /** Replaces the backup codes of a factor. @returns false if they are no longer those in `factor` */
  async replaceBackupCodes({ id, backupCodes }: SecondFactor, replacement: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('two_factors')
      .set({ backup_codes: replacement })
      .where('id', '=', id)
      .where('backup_codes', '=', backupCodes)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  }
}
