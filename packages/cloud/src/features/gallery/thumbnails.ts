import { buffer } from 'node:stream/consumers'
import type { Logger } from 'pino'
import { type Blob, type BlobStore, oneChunk } from '../../blobs/index.ts'
import { KeyedQueue } from '../../session-host/index.ts'
import { Slots } from '../../slots.ts'
import type { GalleryStore } from './gallery-store.ts'
import { keyOf, type Photo, type ThumbnailSize, thumbnailKeyOf } from './photo.ts'
import { type ImageResizer, MAX_IMAGES } from './resize-image.ts'

/** Thumbnails of a user that may wait on a node: as many as a browser requests at a time. */
const MAX_WAITING_PER_USER = 100

export interface ThumbnailsDeps {
  readonly store: Pick<GalleryStore, 'find'>
  readonly blobs: BlobStore
  readonly images: ImageResizer
  readonly log: Logger
}

/** Content of a thumbnail. */
export type Thumbnail = Blob['stream'] | Buffer

/**
 * The thumbnails of photos, made on first request and stored beside the photo. Nodes that make the same one at the same
 * time store the same content.
 */
export class Thumbnails {
  readonly #deps: ThumbnailsDeps
  readonly #slots = new Slots(MAX_IMAGES)
  /** One at a time for each user, so that a user with many photos does not delay others. */
  readonly #users = new KeyedQueue()
  #isUnavailable = false
  readonly #waiting = new Map<string, number>()
  readonly #pending = new Map<string, Promise<Buffer | undefined>>()

  constructor(deps: ThumbnailsDeps) {
    this.#deps = deps
  }

  /**
   * Returns a thumbnail; undefined if none can be made, because the file is missing, invalid or has too many pixels, or
   * too many thumbnails of the user are waiting.
   */
  async open(photo: Photo, size: ThumbnailSize): Promise<Thumbnail | undefined> {
    const key = thumbnailKeyOf(photo, size)
    const { blobs, images, log } = this.#deps
    const stored = await blobs.get(key)
    if (stored !== undefined) return stored.stream
    const problem = await images.problem()
    if (problem !== undefined) {
      if (!this.#isUnavailable) log.warn(`gallery: photos are served in full size, because ${problem}`)
      this.#isUnavailable = true
      return undefined
    }
    let made = this.#pending.get(key)
    if (made === undefined) {
      const waiting = this.#waiting.get(photo.userId) ?? 0
      if (waiting >= MAX_WAITING_PER_USER) return undefined
      this.#waiting.set(photo.userId, waiting + 1)
      made = this.#users
        .run(photo.userId, () => this.#inSlot(() => this.#make(photo, size)))
        .finally(() => this.#end(photo.userId, key))
      this.#pending.set(key, made)
    }
    return await made
  }

  #end(userId: string, key: string): void {
    this.#pending.delete(key)
    const waiting = (this.#waiting.get(userId) ?? 0) - 1
    if (waiting > 0) this.#waiting.set(userId, waiting)
    else this.#waiting.delete(userId)
  }

  async #inSlot<Value>(task: () => Promise<Value>): Promise<Value> {
    const release = await this.#slots.acquire()
    try {
      return await task()
    } finally {
      release()
    }
  }

  async #make(photo: Photo, size: ThumbnailSize): Promise<Buffer | undefined> {
    const { blobs, images, log } = this.#deps
    const original = await blobs.get(keyOf(photo))
    if (original === undefined) return undefined
    const image = await buffer(original.stream)
    const thumbnail = await images.resize(image, size).catch((error: unknown) => {
      log.debug({ err: error, photo: photo.id }, 'gallery: no thumbnail of a photo can be made')
      return undefined
    })
    // All thumbnails together occupy less than three times the quota.
    if (thumbnail !== undefined && thumbnail.length < photo.size) await this.#store(photo, size, thumbnail)
    return thumbnail
  }

  /** Stores a thumbnail. Never throws: without space it is made again for the next request. */
  async #store(photo: Photo, size: ThumbnailSize, thumbnail: Buffer): Promise<void> {
    const { blobs, store, log } = this.#deps
    const key = thumbnailKeyOf(photo, size)
    try {
      await blobs.checkSpace()
      await blobs.put(key, oneChunk(thumbnail))
      // The photo may have been deleted meanwhile, with the thumbnails that it had.
      if ((await store.find(photo.id)) === undefined) await blobs.delete(key)
    } catch (error) {
      log.warn({ err: error, photo: photo.id }, 'gallery: a thumbnail could not be stored')
    }
  }
}
