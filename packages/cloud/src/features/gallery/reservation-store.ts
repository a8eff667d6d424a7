import { type Database, locksRows } from '../../db/index.ts'

/** What reserves space: an upload, or a recording of a stream. */
export type ReservationKind = 'upload' | 'recording'

/** A request for space. */
export interface ReservationRequest {
  readonly id: string
  readonly userId: string
  readonly kind: ReservationKind
  /** Bytes; less is reserved if less is free. */
  readonly bytes: number
  /** Id of the process that reserves. */
  readonly holder: string
  /** Epoch ms. */
  readonly expiresAt: number
}

/** Limits of what a user reserves. */
export interface ReservationLimits {
  readonly maxBytes: number
  readonly maxUploads: number
  readonly maxDeliveries: number
}

/** The reserved bytes, or why nothing was reserved: too many at a time, or the user is being deleted. */
export type ReservationOutcome = number | 'busy' | 'deleted'

/** The owner of rows of `photo_deliveries` that are addresses, which have a limit of their own. */
const LINK_OWNER = 'link'

/** Number of reservations that one statement renews. */
const RENEW_BATCH_SIZE = 500

/** Stores the space that uploads and recordings under way have reserved in galleries. */
export class ReservationStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Reserves what is free of a user's quota, up to the requested bytes. */
  reserve(
    { id, userId, kind, bytes, holder, expiresAt }: ReservationRequest,
    { maxBytes, maxUploads, maxDeliveries }: ReservationLimits,
    now: number,
  ): Promise<ReservationOutcome> {
    return this.#db.transaction().execute(async (trx) => {
      if (!(await isActiveUser(trx, userId))) return 'deleted'
      const used = await lockUsage(trx, userId)
      // Read again, because a deletion that began before the lock has seen no reservation.
      if (!(await isActiveUser(trx, userId))) return 'deleted'
      const held = await readHeld(trx, userId, now)
      if (kind === 'upload') {
        const deliveries = await trx
          .selectFrom('photo_deliveries')
          .select((e) => e.fn.countAll<number>().as('count'))
          .where('user_id', '=', userId)
          .where('lease_owner', '!=', LINK_OWNER)
          .executeTakeFirstOrThrow()
        const uploads = held.filter((each) => each.kind === 'upload').length
        if (uploads >= maxUploads || Number(deliveries.count) >= maxDeliveries) return 'busy'
      }
      const reserved = freeOf(bytes, maxBytes - used, held)
      await trx
        .insertInto('space_reservations')
        .values({ id, user_id: userId, kind, bytes: reserved, holder, expires_at: expiresAt })
        .execute()
      return reserved
    })
  }

  /** Reserves more for a reservation, if it is free. @returns the additional bytes; 0 for an expired reservation */
  extend(
    { id, userId, bytes }: Pick<ReservationRequest, 'id' | 'userId' | 'bytes'>,
    maxBytes: number,
    now: number,
  ): Promise<number> {
    return this.#db.transaction().execute(async (trx) => {
      if (!(await isActiveUser(trx, userId))) return 0
      const used = await lockUsage(trx, userId)
      const held = await readHeld(trx, userId, now)
      const own = held.find((each) => each.id === id)
      if (own === undefined) return 0
      const added = freeOf(bytes, maxBytes - used, held)
      await trx
        .updateTable('space_reservations')
        .set({ bytes: own.bytes + added })
        .where('id', '=', id)
        .execute()
      return added
    })
  }

  /** Extends reservations. */
  async renew(ids: readonly string[], expiresAt: number): Promise<void> {
    for (let from = 0; from < ids.length; from += RENEW_BATCH_SIZE)
      await this.#db
        .updateTable('space_reservations')
        .set({ expires_at: expiresAt })
        .where('id', 'in', ids.slice(from, from + RENEW_BATCH_SIZE))
        .execute()
  }

  async remove(id: string): Promise<void> {
    await this.#db.deleteFrom('space_reservations').where('id', '=', id).execute()
  }

  /** Returns whether a user has reservations. One that is being made at the moment counts. */
  hasAny(userId: string, now: number): Promise<boolean> {
    return this.#db.transaction().execute(async (trx) => {
      if (!(await exists(trx, userId))) return false
      await lockUsage(trx, userId)
      const found = await trx
        .selectFrom('space_reservations')
        .select('id')
        .where('user_id', '=', userId)
        .where('expires_at', '>', now)
        .limit(1)
        .executeTakeFirst()
      return found !== undefined
    })
  }
}

/** Locks a user's quota until the end of the transaction. @returns the bytes that the gallery uses */
export async function lockUsage(trx: Database, userId: string): Promise<number> {
  await trx
    .insertInto('gallery_usage')
    .values({ user_id: userId, photos: 0, bytes: 0 })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute()
  const usage = trx.selectFrom('gallery_usage').select('bytes').where('user_id', '=', userId)
  const { bytes } = await (locksRows(trx) ? usage.forUpdate() : usage).executeTakeFirstOrThrow()
  return bytes
}

/** Returns a user's reservations, and deletes expired ones. */
async function readHeld(trx: Database, userId: string, now: number) {
  await trx
    .deleteFrom('space_reservations')
    .where('user_id', '=', userId)
    .where('expires_at', '<=', now)
    .execute()
  return await trx
    .selectFrom('space_reservations')
    .select(['id', 'kind', 'bytes'])
    .where('user_id', '=', userId)
    .execute()
}

/** Returns how many of the requested bytes are free. */
function freeOf(requested: number, available: number, held: readonly { readonly bytes: number }[]): number {
  const free = held.reduce((rest, { bytes }) => rest - bytes, available)
  return Math.max(Math.min(requested, free), 0)
}

async function exists(trx: Database, userId: string): Promise<boolean> {
  return (
    (await trx.selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst()) !== undefined
  )
}

/** Whether a user exists and is not being deleted. */
async function isActiveUser(trx: Database, userId: string): Promise<boolean> {
  const user = await trx
    .selectFrom('users')
    .leftJoin('deletions', 'deletions.user_id', 'users.id')
    .select(['users.id', 'deletions.began_at'])
    .where('users.id', '=', userId)
    .executeTakeFirst()
  return user !== undefined && user.began_at === null
}
