import { randomUUID } from 'node:crypto'
import type { Database } from '../../../db/index.ts'
import { SignInMethodStore } from '../sign-in-method-store.ts'

/** Stores which account at an issuer belongs to which user. */
export class OidcAccountStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Returns the id of the user who signed in with an account before. */
  async findUserId(issuerId: string, subject: string): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('sign_in_methods')
      .select('user_id')
      .where('provider_id', '=', issuerId)
      .where('account_id', '=', subject)
      .executeTakeFirst()
    return row?.user_id
  }

  /** Like {@link link}, unless the user has another way to sign in. */
  async linkFirst(issuerId: string, subject: string, userId: string, now: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      // The no-op update locks the user's row, so that of concurrent sign-ins at several issuers one links.
      await trx.updateTable('users').set({ id: userId }).where('id', '=', userId).execute()
      if (await new SignInMethodStore(trx).hasAny(userId)) return
      await new OidcAccountStore(trx).link(issuerId, subject, userId, now)
    })
  }

  /** Links an account to a user; does nothing if it is linked, perhaps to another. */
  async link(issuerId: string, subject: string, userId: string, now: number): Promise<void> {
    await this.#db
      .insertInto('sign_in_methods')
      .values({
        id: randomUUID(),
        user_id: userId,
        provider_id: issuerId,
        account_id: subject,
        created_at: now,
        updated_at: now,
      })
      .onConflict((conflict) => conflict.columns(['provider_id', 'account_id']).doNothing())
      .execute()
  }
}
