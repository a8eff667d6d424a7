import type { Database } from '../../db/index.ts'

/** A temporary token, by its hash. Times are epoch milliseconds. */
export interface WebviewTokenRow {
  readonly tokenHash: string
  readonly userId: string
  readonly appId: string
  readonly issuedAt: number
}

/** Temporary tokens of web views: only their hashes. */
export class WebviewTokenStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async add({ tokenHash, userId, appId, issuedAt }: WebviewTokenRow): Promise<void> {
    await this.#db
      .insertInto('webview_tokens')
      .values({ token_hash: tokenHash, user_id: userId, app_id: appId, issued_at: issuedAt })
      .execute()
  }

  /** Takes a token of an app away; of several who ask at a time, one gets it. */
  async take(tokenHash: string, appId: string): Promise<WebviewTokenRow | undefined> {
    const row = await this.#db
      .deleteFrom('webview_tokens')
      .where('token_hash', '=', tokenHash)
      .where('app_id', '=', appId)
      .returningAll()
      .executeTakeFirst()
    return row && { tokenHash, userId: row.user_id, appId, issuedAt: row.issued_at }
  }

  /** Removes the tokens issued before a time. */
  async sweep(before: number): Promise<void> {
    await this.#db.deleteFrom('webview_tokens').where('issued_at', '<', before).execute()
  }
}
