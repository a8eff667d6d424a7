import type { Selectable } from 'kysely'
import { type Database, databaseNow, locksRows, type UserSessionRow } from '../db/index.ts'

/** A write was rejected, because another node owns the session. */
class StaleEpochError extends Error {
  constructor() {
    super('Another node owns the session')
    this.name = 'StaleEpochError'
  }
}

/** A stored session and its owner. */
export interface SessionPlace {
  readonly userSessionId: string
  readonly userId: string
  /** The lease holder that owns it; undefined if none does. */
  readonly owner: string | undefined
  readonly epoch: number
}

/** A user session as it is stored. */
export interface StoredSession {
  readonly id: string
  /** Epoch ms. */
  readonly createdAt: number
}

/** Stores the user session id of each user, so that apps can reconnect to it after a restart of the cloud. */
export class UserSessionStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Returns the stored session id of a user, storing `newId` if there is none. Concurrent callers get the same id.
   * @param newId random, letters and digits only (decision I8)
   * @throws a foreign key violation when the user does not exist
   */
  async claim(userId: string, newId: string, now: number): Promise<string> {
    const { id } = await this.#db
      .insertInto('user_sessions')
      .values({ id: newId, user_id: userId, created_at: now })
      // The no-op update returns the existing row in the same statement.
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ user_id: userId }))
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  /** Returns the stored session of a user with its owner. */
  async locate(userId: string): Promise<SessionPlace | undefined> {
    const row = await this.#db
      .selectFrom('user_sessions')
      .select(['id', 'user_id', 'owner', 'epoch'])
      .where('user_id', '=', userId)
      .executeTakeFirst()
    return row && toPlace(row)
  }

  /** Returns the stored session with its owner. */
  async locateById(id: string): Promise<SessionPlace | undefined> {
    const row = await this.#db
      .selectFrom('user_sessions')
      .select(['id', 'user_id', 'owner', 'epoch'])
      .where('id', '=', id)
      .executeTakeFirst()
    return row && toPlace(row)
  }

  /**
   * Stores a session with an owner, in its first epoch.
   * @returns false if the user has a session
   */
  async create(userId: string, id: string, owner: string, now: number): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#db
      .insertInto('user_sessions')
      .values({ id, user_id: userId, created_at: now, owner, epoch: 1 })
      .onConflict((conflict) => conflict.column('user_id').doNothing())
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === 1n
  }

  /**
   * Makes another holder the owner and begins the next epoch, unless the owner changed or the lease of the old owner is
   * valid in the database. Writes of the old epoch that have begun complete before.
   * @returns whether the session was taken over
   */
  async takeOver({ userSessionId, owner, epoch }: SessionPlace, newOwner: string): Promise<boolean> {
    let update = this.#db
      .updateTable('user_sessions')
      .set({ owner: newOwner, epoch: epoch + 1 })
      .where('id', '=', userSessionId)
      .where('epoch', '=', epoch)
    if (owner !== undefined && owner !== newOwner)
      update = update.where((e) =>
        e.not(
          e.exists(
            e
              .selectFrom('node_leases')
              .select('holder')
              .where('holder', '=', owner)
              .where('expires_at', '>', databaseNow(this.#db)),
          ),
        ),
      )
    const { numUpdatedRows } = await update.executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  }

  /** Stores the model of the glasses of a session. @param epoch the epoch in which it must be; 0: any */
  async setModel(id: string, epoch: number, model: string | null): Promise<void> {
    let update = this.#db.updateTable('user_sessions').set({ model }).where('id', '=', id)
    if (epoch !== 0) update = update.where('epoch', '=', epoch)
    await update.execute()
  }

  /** Gives up the ownership of a session, which remains stored for the next owner. */
  async release(id: string, epoch: number): Promise<void> {
    await this.#db
      .updateTable('user_sessions')
      .set({ owner: null })
      .where('id', '=', id)
      .where('epoch', '=', epoch)
      .execute()
  }

  /**
   * Runs writes of a session in a transaction, in which its owner does not change.
   * @throws StaleEpochError if another epoch has begun or the session ended; nothing is written then
   */
  async fenced<Value>(
    id: string,
    epoch: number,
    write: (transaction: Database) => Promise<Value>,
  ): Promise<Value> {
    return this.#db.transaction().execute(async (transaction) => {
      const row = await transaction
        .selectFrom('user_sessions')
        .select('epoch')
        .where('id', '=', id)
        .$if(locksRows(transaction), (query) => query.forShare())
        .executeTakeFirst()
      if (row?.epoch !== epoch) throw new StaleEpochError()
      return write(transaction)
    })
  }

  /** Returns the id of the session's user. */
  async findById(id: string): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('user_sessions')
      .select('user_id')
      .where('id', '=', id)
      .executeTakeFirst()
    return row?.user_id
  }

  /** Returns a user's live session. */
  async findByUser(userId: string): Promise<StoredSession | undefined> {
    const row = await this.#db
      .selectFrom('user_sessions')
      .select(['id', 'created_at'])
      .where('user_id', '=', userId)
      .executeTakeFirst()
    return row && { id: row.id, createdAt: row.created_at }
  }

  /**
   * Deletes a session.
   * @param epoch the epoch in which it must be; absent: any
   * @returns whether the session was stored
   */
  async end(id: string, epoch?: number): Promise<boolean> {
    let deletion = this.#db.deleteFrom('user_sessions').where('id', '=', id)
    if (epoch !== undefined) deletion = deletion.where('epoch', '=', epoch)
    const { numDeletedRows } = await deletion.executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  }
}

function toPlace(row: Pick<Selectable<UserSessionRow>, 'id' | 'user_id' | 'owner' | 'epoch'>): SessionPlace {
  return { userSessionId: row.id, userId: row.user_id, owner: row.owner ?? undefined, epoch: row.epoch }
}
