import type { Logger } from 'pino'
import { type Blob, type BlobStore, BlobTooLargeError, type ByteRange } from '../../blobs/index.ts'
import type { Page } from '../../db/index.ts'
import type { GalleryQuota, GalleryStore } from './gallery-store.ts'
import type { Photo, PhotoSource, ReceivedPhoto } from './photo.ts'
import { newPhotoId, photoIdTime } from './photo-id.ts'
import { withType } from './photo-type.ts'

/** What the gallery works with. */
export interface GalleryParts {
  readonly store: GalleryStore
  readonly blobs: BlobStore
  readonly log: Logger
  /** The quota of each user. */
  readonly quota: GalleryQuota
  /** Epoch ms. */
  readonly now: () => number
}

/** Why an upload is no photo. */
export type PhotoRejection = 'type' | 'size'

/** A file without a photo is left alone this long, in ms: it may be on its way into the gallery, or to an app. */
const ORPHAN_AGE_MS = 60 * 60 * 1000

/** Files looked up at a time. */
const SWEEP = 100

const FOLDER = 'photos/'

/**
 * The wearers' photos: rows, and a file each. The row decides: a file without one is in no gallery, and is removed
 * sooner or later, whatever became of whoever stored it.
 */
export class Gallery {
  readonly #parts: GalleryParts

  constructor(parts: GalleryParts) {
    this.#parts = parts
  }

  /**
   * Stores the file of a photo as it arrives, to be filed or discarded next.
   * @param options.maxBytes content beyond it ends the reading
   * @throws the error of the source
   */
  async receive(
    userId: string,
    source: AsyncIterable<Uint8Array>,
    options: { readonly maxBytes: number },
  ): Promise<ReceivedPhoto | PhotoRejection> {
    const { blobs, now } = this.#parts
    const { type, content } = await withType(source)
    if (type === undefined) {
      // Read to its end all the same, for what follows it in a form comes behind it.
      for await (const _ of content);
      return 'type'
    }
    const photo = { id: newPhotoId(now()), userId, type }
    try {
      const { size } = await blobs.put(keyOf(photo), content, options)
      return { ...photo, size }
    } catch (error) {
      if (error instanceof BlobTooLargeError) return 'size'
      throw error
    }
  }

  /**
   * Puts a photo into its owner's gallery.
   * @returns false if the gallery has no room for it
   */
  file(photo: ReceivedPhoto, source: PhotoSource): Promise<boolean> {
    const { store, quota } = this.#parts
    return store.add({ ...photo, ...source, uploadedAt: photoIdTime(photo.id) }, quota)
  }

  /** Removes the file of a photo that was not filed. Never throws: what stays is removed later. */
  async discard(photo: Pick<ReceivedPhoto, 'id' | 'userId'>): Promise<void> {
    try {
      await this.#parts.blobs.delete(keyOf(photo))
    } catch (error) {
      this.#parts.log.error({ err: error, photo: photo.id }, 'the file of a photo could not be deleted')
    }
  }

  /** A user's photos, newest first. */
  list(userId: string, page: Page = {}): Promise<Photo[]> {
    return this.#parts.store.listOf(userId, page)
  }

  /** A photo, whoever's it is. */
  find(id: string): Promise<Photo | undefined> {
    return this.#parts.store.find(id)
  }

  /** Opens the file of a photo, or a part of it; undefined if it is gone. Read it to the end or destroy it. */
  open(photo: Pick<ReceivedPhoto, 'id' | 'userId'>, range?: ByteRange): Promise<Blob | undefined> {
    return this.#parts.blobs.get(keyOf(photo), { range })
  }

  /**
   * Deletes a photo: the row first, then the file, which may fail without anybody but the log hearing of it.
   * @returns whether there was such a photo
   */
  async delete(photo: Photo): Promise<boolean> {
    const removed = await this.#parts.store.remove(photo.userId, photo.id)
    if (removed) await this.discard(photo)
    return removed
  }

  /** Deletes all of a user, files of no gallery included. May be repeated until it succeeds. */
  async deleteAllOf(userId: string): Promise<void> {
    const { store, blobs } = this.#parts
    await store.removeAllOf(userId)
    for await (const { key } of blobs.list(folderOf(userId))) await blobs.delete(key)
  }

  /**
   * Deletes blobs without a photo: of uploads whose process died, and of photos whose blob could not be deleted.
   * @throws the reason of the signal once it aborts
   */
  async sweep(signal?: AbortSignal): Promise<void> {
    let some: { key: string; id: string }[] = []
    const removeUnknown = async () => {
      const known = await this.#parts.store.known(some.map(({ id }) => id))
      for (const { key, id } of some) {
        signal?.throwIfAborted()
        if (!known.has(id)) await this.#parts.blobs.delete(key)
      }
      some = []
    }
    const oldest = this.#parts.now() - ORPHAN_AGE_MS
    for await (const { key } of this.#parts.blobs.list(FOLDER)) {
      signal?.throwIfAborted()
      const id = key.slice(key.lastIndexOf('/') + 1)
      if (photoIdTime(id) < oldest) some.push({ key, id })
      if (some.length >= SWEEP) await removeUnknown()
    }
    await removeUnknown()
  }
}

const folderOf = (userId: string) => `${FOLDER}${userId}/`

const keyOf = ({ userId, id }: Pick<ReceivedPhoto, 'id' | 'userId'>) => folderOf(userId) + id
