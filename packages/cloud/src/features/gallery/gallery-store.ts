import { type GalleryList, TYPES_OF_GALLERY_LIST } from '@glasses-cloud/contract'
import type { Selectable } from 'kysely'
import { type Database, type GalleryPhotoRow, inBatches, type Page, recordChange } from '../../db/index.ts'
import type { Photo } from './photo.ts'
import { lockUsage } from './reservation-store.ts'

/** Limits of the photos of a user. */
export interface GalleryQuota {
  readonly maxBytes: number
  readonly maxPhotos: number
}

/** Storage that the photos of a user use. */
export interface GalleryUsage {
  readonly photos: number
  readonly bytes: number
}

/** A page of a user's gallery: of everything, or of some types. */
export interface GalleryPage extends Page {
  readonly only?: GalleryList
}

/** Minimum that a photo counts towards the quota, because its row and file need space too. */
const MIN_CHARGE_BYTES = 16 * 1024

/** Returns the bytes that a photo counts towards the quota. */
function chargedBytes(size: number): number {
  return Math.max(size, MIN_CHARGE_BYTES)
}

/** Stores the photos of all users, without their files, and the usage of each quota. */
export class GalleryStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Adds a photo unless that would exceed the quota of its owner, with what others have reserved.
   * @param reservation the space that was reserved for it, which it uses up
   * @returns whether it was added
   * @throws a foreign key violation if the user does not exist
   */
  add(
    photo: Photo,
    { maxBytes, maxPhotos }: GalleryQuota,
    reservation?: { readonly id: string; readonly now: number },
  ): Promise<boolean> {
    const charge = chargedBytes(photo.size)
    return this.#db.transaction().execute(async (trx) => {
      // Concurrent uploads cannot exceed the quota together.
      await lockUsage(trx, photo.userId)
      const reservedByOthers = reservation ? await reservedBytes(trx, photo.userId, reservation) : 0
      const { numUpdatedRows } = await trx
        .updateTable('gallery_usage')
        .set((e) => ({ photos: e('photos', '+', 1), bytes: e('bytes', '+', charge) }))
        .where('user_id', '=', photo.userId)
        .where('photos', '<', maxPhotos)
        .where('bytes', '<=', maxBytes - charge - reservedByOthers)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) return false
      if (reservation)
        await trx
          .updateTable('space_reservations')
          .set({ bytes: 0 })
          .where('id', '=', reservation.id)
          .execute()
      await trx
        .insertInto('gallery_photos')
        .values({
          id: photo.id,
          user_id: photo.userId,
          mime_type: photo.type,
          size: photo.size,
          request_id: photo.requestId,
          origin: photo.origin,
          package_name: photo.packageName,
          uploaded_at: photo.uploadedAt,
        })
        .execute()
      await recordChange(trx, 'gallery', photo.userId)
      return true
    })
  }

  async find(id: string): Promise<Photo | undefined> {
    const row = await this.#db
      .selectFrom('gallery_photos')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    return row && toPhoto(row)
  }

  /** Returns a user's photos, newest first; `page.after` is the id of a photo. */
  async listByUser(userId: string, page: GalleryPage = {}): Promise<Photo[]> {
    let query = this.#db
      .selectFrom('gallery_photos')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('id', 'desc')
    if (page.after !== undefined) query = query.where('id', '<', page.after)
    if (page.only !== undefined && page.only !== 'all')
      query = query.where('mime_type', 'in', TYPES_OF_GALLERY_LIST[page.only])
    if (page.limit !== undefined) query = query.limit(page.limit)
    return (await query.execute()).map(toPhoto)
  }

  /** Removes a photo of the user. @returns false if the user has no such photo */
  remove(userId: string, id: string): Promise<boolean> {
    return this.#db.transaction().execute(async (trx) => {
      const removed = await trx
        .deleteFrom('gallery_photos')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .returning('size')
        .executeTakeFirst()
      if (!removed) return false
      await trx
        .updateTable('gallery_usage')
        .set((e) => ({ photos: e('photos', '-', 1), bytes: e('bytes', '-', chargedBytes(removed.size)) }))
        .where('user_id', '=', userId)
        .execute()
      await recordChange(trx, 'gallery', userId)
      return true
    })
  }

  /** Removes all photos of a user. */
  async removeByUser(userId: string): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await trx.deleteFrom('gallery_photos').where('user_id', '=', userId).execute()
      await trx.deleteFrom('gallery_usage').where('user_id', '=', userId).execute()
    })
  }

  /** Returns how much of the quota the user's photos use; undefined if the user never had a photo. */
  async usageOf(userId: string): Promise<GalleryUsage | undefined> {
    const row = await this.#db
      .selectFrom('gallery_usage')
      .select(['photos', 'bytes'])
      .where('user_id', '=', userId)
      .executeTakeFirst()
    return row && { photos: row.photos, bytes: row.bytes }
  }

  /** Returns those of the ids that belong to photos of the gallery, or to photos that are still to be delivered to an app. */
  async findReferencedIds(ids: readonly string[]): Promise<Set<string>> {
    const referenced = new Set<string>()
    for (const batch of inBatches(ids)) {
      const rows = await this.#db
        .selectFrom('gallery_photos')
        .select('id')
        .where('id', 'in', batch)
        .unionAll(this.#db.selectFrom('photo_deliveries').select('id').where('id', 'in', batch))
        .execute()
      for (const { id } of rows) referenced.add(id)
    }
    return referenced
  }
}

/** Returns the bytes that a user has reserved, except in one reservation. */
async function reservedBytes(
  trx: Database,
  userId: string,
  { id, now }: { readonly id: string; readonly now: number },
): Promise<number> {
  const { bytes } = await trx
    .selectFrom('space_reservations')
    .select((e) => e.fn.sum<number | null>('bytes').as('bytes'))
    .where('user_id', '=', userId)
    .where('id', '!=', id)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

function toPhoto(row: Selectable<GalleryPhotoRow>): Photo {
  return {
    id: row.id,
    userId: row.user_id,
    type: row.mime_type,
    size: row.size,
    requestId: row.request_id,
    origin: row.origin,
    packageName: row.package_name,
    uploadedAt: row.uploaded_at,
  }
}
