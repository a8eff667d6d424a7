import type { Database } from '../../db/index.ts'

/** A managed stream of a user. */
export interface LiveStream {
  readonly streamId: string
  /** Epoch ms. */
  readonly startedAt: number
}

/**
 * Stores the managed stream of each user. A row of a process that died remains until the user's next stream; the session
 * that it leads to does not know the stream.
 */
export class LiveStreamStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Stores a user's stream in place of the previous one. */
  async open(userId: string, { streamId, startedAt }: LiveStream): Promise<void> {
    const values = { stream_id: streamId, started_at: startedAt }
    await this.#db
      .insertInto('live_streams')
      .values({ user_id: userId, ...values })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
      .execute()
  }

  /** Removes a user's stream, unless another one has replaced it. */
  async close(userId: string, streamId: string): Promise<void> {
    await this.#db
      .deleteFrom('live_streams')
      .where('user_id', '=', userId)
      .where('stream_id', '=', streamId)
      .execute()
  }

  /** Returns the user whose glasses send a stream. */
  async findUser(streamId: string): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('live_streams')
      .select('user_id')
      .where('stream_id', '=', streamId)
      .executeTakeFirst()
    return row?.user_id
  }

  async findByUser(userId: string): Promise<LiveStream | undefined> {
    const row = await this.#db
      .selectFrom('live_streams')
      .select(['stream_id', 'started_at'])
      .where('user_id', '=', userId)
      .executeTakeFirst()
    return row && { streamId: row.stream_id, startedAt: row.started_at }
  }
}
