import { type Database, fromJson, isUniqueViolation, type PasskeyRow, toJson } from '../../../db/index.ts'

/** Passkeys per user. */
const MAX_PASSKEYS = 20

/** A passkey. Times are epoch milliseconds. */
export interface Passkey {
  readonly id: string
  readonly userId: string
  /** Base64url. */
  readonly credentialId: string
  /** COSE key as base64url. */
  readonly publicKey: string
  /** Number of uses that the authenticator counted; 0 if it does not count. */
  readonly counter: number
  /** How a browser reaches the authenticator, such as `internal` or `usb`. */
  readonly transports: readonly string[]
  readonly name: string
  readonly createdAt: number
  readonly lastUsedAt: number | undefined
}

/** Stores passkeys. */
export class PasskeyStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Adds a passkey, unless the user has 20 or its credential is known. */
  async add(passkey: Omit<Passkey, 'lastUsedAt'>): Promise<'added' | 'tooMany' | 'exists'> {
    const { id, userId, credentialId, publicKey, counter, transports, name, createdAt } = passkey
    try {
      return await this.#db.transaction().execute(async (trx) => {
        // The no-op update locks the user's row, so that concurrent additions cannot exceed the maximum.
        await trx.updateTable('users').set({ id: userId }).where('id', '=', userId).execute()
        const existing = await trx
          .selectFrom('passkeys')
          .select('id')
          .where('user_id', '=', userId)
          .limit(MAX_PASSKEYS)
          .execute()
        if (existing.length >= MAX_PASSKEYS) return 'tooMany'
        await trx
          .insertInto('passkeys')
          .values({
            id,
            user_id: userId,
            credential_id: credentialId,
            public_key: publicKey,
            counter,
            transports: toJson(transports),
            name,
            created_at: createdAt,
          })
          .execute()
        return 'added'
      })
    } catch (error) {
      if (isUniqueViolation(error)) return 'exists'
      throw error
    }
  }

  async findByCredential(credentialId: string): Promise<Passkey | undefined> {
    const query = this.#db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId)
    const row = await query.executeTakeFirst()
    return row && toPasskey(row)
  }

  /** Lists the passkeys of a user, the oldest first. */
  async list(userId: string): Promise<Passkey[]> {
    const rows = await this.#db
      .selectFrom('passkeys')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    return rows.map(toPasskey)
  }

  /**
   * Records the use of a passkey.
   * @param passkey as it was read before the use
   * @returns whether its counter was still the same, and the passkey still there
   */
  async recordUse({ id, counter }: Passkey, newCounter: number, now: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('passkeys')
      .set({ counter: newCounter, last_used_at: now })
      .where('id', '=', id)
      .where('counter', '=', counter)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  }

  /** @returns the passkey; undefined if the user has none with this id */
  async rename(userId: string, id: string, name: string): Promise<Passkey | undefined> {
    const row = await this.#db
      .updateTable('passkeys')
      .set({ name })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returningAll()
      .executeTakeFirst()
    return row && toPasskey(row)
  }

  /** @returns whether the user had a passkey with this id */
  async remove(userId: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('passkeys')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  }

  /** Records that a challenge was answered. @returns false if it was before */
  async useChallenge(hash: string, expiresAt: number): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#db
      .insertInto('used_challenges')
      .values({ challenge_hash: hash, expires_at: expiresAt })
      .onConflict((conflict) => conflict.column('challenge_hash').doNothing())
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === 1n
  }

  /** Forgets challenges that expired before `now`. */
  async removeExpiredChallenges(now: number): Promise<void> {
    await this.#db.deleteFrom('used_challenges').where('expires_at', '<=', now).execute()
  }
}

const toPasskey = (row: PasskeyRow): Passkey => ({
  id: row.id,
  userId: row.user_id,
  credentialId: row.credential_id,
  publicKey: row.public_key,
  counter: row.counter,
  transports: fromJson<string[]>(row.transports),
  name: row.name,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at ?? undefined,
})
