import type { Selectable } from 'kysely'
import type { Database, GalleryPhotoRow, Page } from '../../db/index.ts'
import type { Photo } from './photo.ts'

/** The photos of every gallery, without their files. */
export class GalleryStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Adds a photo, unless its owner's photos would have more bytes than that together. Fails when there is no such user.
   * @returns whether there was room
   */
  add(photo: Photo, maxBytes: number): Promise<boolean> {
    return this.#db.transaction().execute(async (trx) => {
      // The owner's row is held, so that photos that come at the same time do not share the same room.
      await trx
        .updateTable('users')
        .set((e) => ({ created_at: e.ref('created_at') }))
        .where('id', '=', photo.userId)
        .execute()
      const { bytes } = await trx
        .selectFrom('gallery_photos')
        .select((e) => e.fn.sum<number | string | null>('size').as('bytes'))
        .where('user_id', '=', photo.userId)
        .executeTakeFirstOrThrow()
      // Sums come as text from PostgreSQL.
      if (Number(bytes) + photo.size > maxBytes) return false
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

  /** A user's photos, newest first; `after` in a page is a photo's id. */
  async listOf(userId: string, page: Page = {}): Promise<Photo[]> {
    let query = this.#db
      .selectFrom('gallery_photos')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('id', 'desc')
    if (page.after !== undefined) query = query.where('id', '<', page.after)
    if (page.limit !== undefined) query = query.limit(page.limit)
    return (await query.execute()).map(toPhoto)
  }

  /** @returns whether the user had such a photo */
  async remove(userId: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('gallery_photos')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  }

  /** Removes all photos of a user. */
  async removeAllOf(userId: string): Promise<void> {
    await this.#db.deleteFrom('gallery_photos').where('user_id', '=', userId).execute()
  }

  /** Which of the ids belong to photos. At most some hundred at a time. */
  async known(ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set()
    const rows = await this.#db.selectFrom('gallery_photos').select('id').where('id', 'in', ids).execute()
    return new Set(rows.map(({ id }) => id))
  }
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
