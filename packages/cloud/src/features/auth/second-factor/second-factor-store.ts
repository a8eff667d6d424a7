import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Database, Schema } from '../../../db/index.ts'

/** What a user's authenticator app and backup codes are verified with, encrypted. */
export interface SecondFactor {
  readonly id: string
  readonly secret: string
  readonly backupCodes: string
  /** Whether a code of the app was verified, so that sign-ins require one. */
  readonly isActive: boolean
}

/** A user whose password was verified, and its hash then. A change is rejected if the hash is another one by now. */
export interface PasswordProof {
  readonly userId: string
  readonly passwordHash: string
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

  /** Adds a factor that is not active yet, in place of another such, unless one is active. */
  async prepare(
    { userId, passwordHash }: PasswordProof,
    secret: string,
    backupCodes: string,
  ): Promise<'prepared' | 'exists' | 'stale_password'> {
    return this.#db.transaction().execute(async (trx) => {
      if (!(await isCurrent(trx, { userId, passwordHash }))) return 'stale_password'
      const factors = trx.selectFrom('two_factors').select('id').where('user_id', '=', userId)
      if ((await factors.where('verified', '=', 1).executeTakeFirst()) !== undefined) return 'exists'
      await trx.deleteFrom('two_factors').where('user_id', '=', userId).execute()
      const values = { id: randomUUID(), user_id: userId, secret, backup_codes: backupCodes, verified: 0 }
      await trx.insertInto('two_factors').values(values).execute()
      return 'prepared'
    })
  }

  /**
   * Makes sign-ins require a factor, and uses up the code that was verified.
   * @param proof.step the time step of the code
   * @param proof.loginId the login in which the code was entered
   * @returns false if the factor was replaced, removed or activated, or the login has ended meanwhile
   */
  async activate(
    userId: string,
    { id }: SecondFactor,
    { step, loginId }: { readonly step: number; readonly loginId: string },
    now: number,
  ): Promise<boolean> {
    return this.#db.transaction().execute(async (trx) => {
      await lockUser(trx, userId)
      const login = trx.selectFrom('logins').select('id').where('id', '=', loginId)
      if ((await login.where('user_id', '=', userId).executeTakeFirst()) === undefined) return false
      const { numUpdatedRows } = await trx
        .updateTable('two_factors')
        .set({ verified: 1, last_used_step: step })
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

  /** Uses up a code. @returns false if it, or a later one, was used before */
  async useStep({ id }: SecondFactor, step: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('two_factors')
      .set({ last_used_step: step })
      .where('id', '=', id)
      .where((e) => e.or([e('last_used_step', 'is', null), e('last_used_step', '<', step)]))
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  }

  /** @returns false if the password was changed meanwhile */
  async remove({ userId, passwordHash }: PasswordProof, now: number): Promise<boolean> {
    return this.#db.transaction().execute(async (trx) => {
      if (!(await isCurrent(trx, { userId, passwordHash }))) return false
      const user = { two_factor_enabled: 0, updated_at: now }
      await trx.updateTable('users').set(user).where('id', '=', userId).execute()
      await trx.deleteFrom('two_factors').where('user_id', '=', userId).execute()
      return true
    })
  }

  /** Replaces the backup codes of a factor after one was used. @returns false if they changed meanwhile */
  async useBackupCode(factor: SecondFactor, left: string): Promise<boolean> {
    return replaceCodes(this.#db, factor, left)
  }

  /** Replaces the backup codes of a factor. */
  async replaceBackupCodes(
    proof: PasswordProof,
    factor: SecondFactor,
    replacement: string,
  ): Promise<'replaced' | 'changed' | 'stale_password'> {
    return this.#db.transaction().execute(async (trx) => {
      if (!(await isCurrent(trx, proof))) return 'stale_password'
      return (await replaceCodes(trx, factor, replacement)) ? 'replaced' : 'changed'
    })
  }
}

/** The no-op update locks the user's row first in every change, so that concurrent ones leave one factor. */
async function lockUser(trx: Transaction<Schema>, userId: string): Promise<void> {
  await trx.updateTable('users').set({ id: userId }).where('id', '=', userId).execute()
}

/** Returns whether the hash of a password that was verified is still stored, and locks its row. */
async function isCurrent(
  trx: Transaction<Schema>,
  { userId, passwordHash }: PasswordProof,
): Promise<boolean> {
  await lockUser(trx, userId)
  const { numUpdatedRows } = await trx
    .updateTable('sign_in_methods')
    .set({ password: passwordHash })
    .where('user_id', '=', userId)
    .where('password', '=', passwordHash)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

async function replaceCodes(
  db: Database,
  { id, backupCodes }: SecondFactor,
  replacement: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('two_factors')
    .set({ backup_codes: replacement })
    .where('id', '=', id)
    .where('backup_codes', '=', backupCodes)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
