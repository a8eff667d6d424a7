import type { Database } from '../../db/index.ts'

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

/** Reads and removes the ways in which users sign in, which better-auth and the sign-in at issuers write. */
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
        const isPassword = provider === 'credential'
        return isPassword
          ? { id, kind: 'password', name: undefined, requiresCode: factor !== undefined, createdAt }
          : { id, kind: 'issuer', name: provider, requiresCode: false, createdAt }
      }),
    ]
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
      if (!methods.some((method) => method.id === id && method.provider_id !== 'credential')) return 'unknown'
      if (methods.length === 1) {
        const passkey = trx.selectFrom('passkeys').select('id').where('user_id', '=', userId).limit(1)
        if ((await passkey.executeTakeFirst()) === undefined) return 'last'
      }
      await trx.deleteFrom('sign_in_methods').where('id', '=', id).execute()
      return 'removed'
    })
  }

  /** Removes what a user could still complete: other reset links, sign-ins that wait for a code, trusted browsers. */
  async removePending(userId: string): Promise<void> {
    await this.#db.deleteFrom('verifications').where('value', '=', userId).execute()
  }

  /** Removes what names a user without a reference to their row: pending verifications and invitations. */
  async removeUnreferenced(user: { readonly id: string; readonly email: string }): Promise<void> {
    await this.#db
      .deleteFrom('verifications')
      .where((e) =>
        e.or([e('value', 'like', `%${user.id}%`), e('value', 'like', `%${likeText(user.email)}%`)]),
      )
      .execute()
    await this.#db.deleteFrom('sign_up_invitations').where('invited_email', '=', user.email).execute()
  }

  /** Removes pending verifications and device sign-ins that expired before `now`. */
  async removeExpired(now: number): Promise<void> {
    await this.#db.deleteFrom('verifications').where('expires_at', '<=', now).execute()
    await this.#db.deleteFrom('device_codes').where('expires_at', '<=', now).execute()
  }
}

/** Wildcards of a pattern stand for any character here, which only removes more verifications. */
const likeText = (text: string) => text.replaceAll('\\', '_')
