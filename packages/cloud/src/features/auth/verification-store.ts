import { createHash, randomUUID } from 'node:crypto'
import { type Database, inTransaction } from '../../db/index.ts'
import { lockUser } from '../../identity/index.ts'

/**
 * What a secret permits once, such as a new password to whoever has the link. `reachability` permits to report that a phone
 * reaches the cloud, after which the secret stands for `reached`.
 */
export type VerificationPurpose =
  | 'reset-password'
  | 'verify-email'
  | '2fa'
  | 'trust-device'
  | 'reachability'
  | 'reached'

/** Stores secrets that a user was given, as hashes. Each is valid once and for a limited time. */
export class VerificationStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Stores a secret; not that of a user who is being deleted, to whom it is then worth nothing. */
  async add(purpose: VerificationPurpose, secret: string, userId: string, expiresAt: number, now: number) {
    await inTransaction(this.#db, async (trx) => {
      if (!(await lockUser(trx, userId))) return
      await trx
        .insertInto('verifications')
        .values({
          id: randomUUID(),
          identifier: identifierOf(purpose, secret),
          value: userId,
          created_at: now,
          updated_at: now,
          expires_at: expiresAt,
        })
        .execute()
    })
  }

  /** Returns the id of the user to whom a secret was given, unless it was used or has expired. */
  async find(purpose: VerificationPurpose, secret: string, now: number): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('verifications')
      .select('value')
      .where('identifier', '=', identifierOf(purpose, secret))
      .where('expires_at', '>', now)
      .executeTakeFirst()
    return row?.value
  }

  /** Exchanges a secret for another one of its user. @returns whether it was valid, for one of several concurrent callers */
  async replace(
    { purpose, secret }: { readonly purpose: VerificationPurpose; readonly secret: string },
    next: { readonly purpose: VerificationPurpose; readonly secret: string; readonly expiresAt: number },
    now: number,
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('verifications')
      .set({
        identifier: identifierOf(next.purpose, next.secret),
        expires_at: next.expiresAt,
        updated_at: now,
      })
      .where('identifier', '=', identifierOf(purpose, secret))
      .where('expires_at', '>', now)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  }

  /** Uses up a secret. @returns the id of its user, for one of several concurrent callers */
  async use(purpose: VerificationPurpose, secret: string, now: number): Promise<string | undefined> {
    const row = await this.#db
      .deleteFrom('verifications')
      .where('identifier', '=', identifierOf(purpose, secret))
      .where('expires_at', '>', now)
      .returning('value')
      .executeTakeFirst()
    return row?.value
  }

  /** Removes what a user could still complete: reset links, sign-ins that wait for a code, trusted browsers. */
  async removeFor(userId: string): Promise<void> {
    await this.#db.deleteFrom('verifications').where('value', '=', userId).execute()
  }

  async removeExpired(now: number): Promise<void> {
    await this.#db.deleteFrom('verifications').where('expires_at', '<=', now).execute()
  }
}

function identifierOf(purpose: VerificationPurpose, secret: string): string {
  return createHash('sha256').update(`${purpose}:${secret}`).digest('base64url')
}
