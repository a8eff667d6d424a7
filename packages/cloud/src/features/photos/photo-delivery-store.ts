import type { Selectable } from 'kysely'
import type { Database, Page, PhotoDeliveryRow } from '../../db/index.ts'
import { seal, unseal } from '../../identity/index.ts'
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

/** Exclusive right of a process to deliver a photo. Other processes may take over once it has expired. */
export interface DeliveryLease {
  readonly owner: string
  /** Epoch ms. */
  readonly until: number
}

/** Separates the key that encrypts bearer tokens from other keys derived from the same secret. */
const SEAL_PURPOSE = 'photo delivery'

/** Stores the pending deliveries of photos to apps. */
export class PhotoDeliveryStore {
  readonly #db: Database
  readonly #secrets: readonly string[]

  /** @param secrets the first encrypts the bearer tokens of the apps, all decrypt them */
  constructor(db: Database, secrets: readonly string[]) {
    this.#db = db
    this.#secrets = secrets
  }

  /** @throws a foreign key violation if the user does not exist */
  async add(delivery: Omit<PhotoDelivery, 'attempts'>, lease: DeliveryLease): Promise<void> {
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
        lease_owner: lease.owner,
        lease_until: lease.until,
        created_at: createdAt,
      })
      .execute()
  }

  /** Takes over the delivery whose lease expired first; undefined if no lease has expired. */
  async takeOver(lease: DeliveryLease, now: number): Promise<PhotoDelivery | undefined> {
    for (;;) {
      const candidate = await this.#db
        .selectFrom('photo_deliveries')
        .select(['id', 'attempts'])
        .where('lease_until', '<=', now)
        .orderBy('lease_until')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
      if (candidate === undefined) return undefined
      const row = await this.#db
        .updateTable('photo_deliveries')
        .set({ attempts: candidate.attempts + 1, lease_owner: lease.owner, lease_until: lease.until })
        .where('id', '=', candidate.id)
        .where('attempts', '=', candidate.attempts)
        .where('lease_until', '<=', now)
        .returningAll()
        .executeTakeFirst()
      // Another process took it over first.
      if (row) return this.#toDelivery(row)
    }
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

  /** Returns the pending deliveries of a user's photos, oldest first; `page.after` is the id of a photo. */
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

  #toDelivery(row: Selectable<PhotoDeliveryRow>): PhotoDelivery {
    return { ...toDelivery(row), authToken: this.#unseal(row.sealed_token) }
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
