import type { Selectable } from 'kysely'
import type { Database, Page, PhotoDeliveryRow } from '../../db/index.ts'
import { seal, unseal } from '../../identity/index.ts'
import { LeasedRows, ROW_LEASE_MS } from '../../jobs/index.ts'
import type { ReceivedPhoto } from '../gallery/index.ts'

/** A photo on its way to the app that requested it. */
export interface PhotoDelivery {
  readonly photo: ReceivedPhoto
  readonly packageName: string
  readonly requestId: string
  /** Bearer token that the cloud sends to the app server with the photo. Secret. */
  readonly authToken: string | undefined
  /** Number of processes that have started the delivery. */
  readonly attempts: number
  /** Epoch ms. */
  readonly createdAt: number
}

/** Owner of the rows of photos that an app loads from an address instead. Other owners are random. */
const LINK_OWNER = 'link'

/** No process takes such a row over. */
const NEVER = Number.MAX_SAFE_INTEGER

/** Separates the key that encrypts bearer tokens from other keys derived from the same secret. */
const SEAL_PURPOSE = 'photo delivery'

/** Stores the pending deliveries of photos to apps. */
export class PhotoDeliveryStore {
  readonly leases: LeasedRows<PhotoDelivery>
  readonly #db: Database
  readonly #secrets: readonly string[]

  /** @param secrets the first encrypts the bearer tokens of the apps, all decrypt them */
  constructor(db: Database, secrets: readonly string[]) {
    this.#db = db
    this.#secrets = secrets
    this.leases = new LeasedRows(db, {
      table: 'photo_deliveries',
      isClaimable: (row, now) => row('lease_until', '<=', now),
      load: (id, trx) => this.#find(id, trx),
    })
  }

  /**
   * Stores a delivery, leased from its creation.
   * @throws a foreign key violation if the user does not exist
   */
  add(delivery: Omit<PhotoDelivery, 'attempts'>, owner: string): Promise<void> {
    return this.#insert(delivery, owner, delivery.createdAt + ROW_LEASE_MS)
  }

  async #insert(delivery: Omit<PhotoDelivery, 'attempts'>, owner: string, until: number): Promise<void> {
    const { photo, packageName, requestId, authToken, createdAt } = delivery
    await this.#db
      .insertInto('photo_deliveries')
      .values({
        id: photo.id,
        user_id: photo.userId,
        mime_type: photo.type,
        size: photo.size,
        package_name: packageName,
        request_id: requestId,
        sealed_token: authToken === undefined ? null : seal(authToken, this.#secrets[0] ?? '', SEAL_PURPOSE),
        attempts: 1,
        lease_owner: owner,
        lease_until: until,
        created_at: createdAt,
      })
      .execute()
  }

  /** Removes a completed delivery. @returns false if another process has taken it over, or the user was deleted */
  async remove(id: string, owner: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('photo_deliveries')
      .where('id', '=', id)
      .where('lease_owner', '=', owner)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  }

  /**
   * Stores a photo that an app may load from an address.
   * @throws a foreign key violation if the user does not exist
   */
  addLink(delivery: Omit<PhotoDelivery, 'attempts'>): Promise<void> {
    return this.#insert(delivery, LINK_OWNER, NEVER)
  }

  /** Finds the photo of an address that was created after a time, epoch ms. */
  async findLink(id: string, after: number): Promise<ReceivedPhoto | undefined> {
    const row = await this.#db
      .selectFrom('photo_deliveries')
      .selectAll()
      .where('id', '=', id)
      .where('lease_owner', '=', LINK_OWNER)
      .where('created_at', '>', after)
      .executeTakeFirst()
    return row && toDelivery(row).photo
  }

  /** Removes up to `limit` addresses that were created until a time, epoch ms. @returns their photos */
  async removeExpiredLinks(until: number, limit: number): Promise<ReceivedPhoto[]> {
    const expired = await this.#db
      .selectFrom('photo_deliveries')
      .select('id')
      .where('lease_owner', '=', LINK_OWNER)
      .where('created_at', '<=', until)
      .limit(limit)
      .execute()
    return this.#removeLinks(expired)
  }

  /** Removes all but the newest addresses of a user. @returns their photos */
  async removeOldLinks(userId: string, keep: number): Promise<ReceivedPhoto[]> {
    const links = await this.#db
      .selectFrom('photo_deliveries')
      .select('id')
      .where('user_id', '=', userId)
      .where('lease_owner', '=', LINK_OWNER)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute()
    return this.#removeLinks(links.slice(keep))
  }

  /** Removes the address of a photo. */
  async removeLink(id: string): Promise<void> {
    await this.#removeLinks([{ id }])
  }

  async #removeLinks(links: readonly { readonly id: string }[]): Promise<ReceivedPhoto[]> {
    if (links.length === 0) return []
    const ids = links.map(({ id }) => id)
    const removed = await this.#db
      .deleteFrom('photo_deliveries')
      .where('id', 'in', ids)
      .where('lease_owner', '=', LINK_OWNER)
      .returningAll()
      .execute()
    return removed.map((row) => toDelivery(row).photo)
  }

  /** Returns the pending deliveries and addresses of a user's photos, oldest first; `page.after` is the id of a photo. */
  async listByUser(userId: string, page: Page = {}): Promise<Omit<PhotoDelivery, 'authToken'>[]> {
    let query = this.#db
      .selectFrom('photo_deliveries')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('id')
    if (page.after !== undefined) query = query.where('id', '>', page.after)
    if (page.limit !== undefined) query = query.limit(page.limit)
    return (await query.execute()).map(toDelivery)
  }

  async #find(id: string, db: Database): Promise<PhotoDelivery | undefined> {
    const row = await db.selectFrom('photo_deliveries').selectAll().where('id', '=', id).executeTakeFirst()
    return row && { ...toDelivery(row), authToken: this.#unseal(row.sealed_token) }
  }

  #unseal(sealedToken: string | null): string | undefined {
    try {
      return sealedToken === null ? undefined : unseal(sealedToken, this.#secrets, SEAL_PURPOSE)
    } catch {
      // The secret was changed: the photo is delivered without the token.
      return undefined
    }
  }
}

function toDelivery(row: Selectable<PhotoDeliveryRow>): Omit<PhotoDelivery, 'authToken'> {
  return {
    photo: { id: row.id, userId: row.user_id, type: row.mime_type, size: row.size },
    packageName: row.package_name,
    requestId: row.request_id,
    attempts: row.attempts,
    createdAt: row.created_at,
  }
}
