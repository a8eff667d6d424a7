import type { Database } from '../../db/index.ts'

/** A temporary token, identified by its hash. Times are epoch ms. */
export interface WebviewTokenRow {
  readonly tokenHash: string
  readonly userId: string
  readonly appId: string
  readonly issuedAt: number
  /** The login that it was issued to and ends with; undefined if the user had none. */
  readonly loginId: string | undefined
}

/** Stores the hashes of temporary tokens. */
export class WebviewTokenStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async add({ tokenHash, userId, appId, issuedAt, loginId }: WebviewTokenRow): Promise<void> {
    await this.#db
      .insertInto('webview_tokens')
      .values({
        token_hash: tokenHash,
        user_id: userId,
        app_id: appId,
        issued_at: issuedAt,
        login_id: loginId ?? null,
      })
      .execute()
  }

  /** Deletes and returns a token of an app; of concurrent callers, one receives it. */
  async consume(tokenHash: string, appId: string): Promise<WebviewTokenRow | undefined> {
    const row = await this.#db
      .deleteFrom('webview_tokens')
      .where('token_hash', '=', tokenHash)
      .where('app_id', '=', appId)
      .returningAll()
      .executeTakeFirst()
    return (
      row && {
        tokenHash,
        userId: row.user_id,
        appId,
        issuedAt: row.issued_at,
        loginId: row.login_id ?? undefined,
      }
    )
  }

  async deleteIssuedBefore(before: number): Promise<void> {
    await this.#db.deleteFrom('webview_tokens').where('issued_at', '<', before).execute()
  }
}
