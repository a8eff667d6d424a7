import { type PhotoOrigin, RECORDING_TYPE } from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import {
  type Blob,
  type BlobStore,
  BlobTooLargeError,
  type ByteRange,
  type PutOptions,
} from '../../blobs/index.ts'
import type { GalleryPage, GalleryQuota, GalleryStore } from './gallery-store.ts'
import {
  detectPhotoType,
  folderOf,
  keyOf,
  keysOf,
  newPhotoId,
  PHOTO_FOLDER,
  type Photo,
  type PhotoSource,
  photoIdOf,
  photoIdTime,
  type ReceivedPhoto,
} from './photo.ts'
import type { ReservationKind } from './reservation-store.ts'
import type { Reservation, Reservations } from './reservations.ts'

export interface GalleryDeps {
  readonly store: GalleryStore
  readonly reservations: Reservations
  readonly blobs: BlobStore
  readonly log: Logger
  /** The quota of each user. */
  readonly quota: GalleryQuota
  /** Epoch ms. */
  readonly now: () => number
}

/** Why an upload was rejected: unsupported image type, or too large. */
export type PhotoRejection = 'type' | 'size'

/** Minimum age of orphaned files before deletion. Younger ones may belong to an upload or delivery in progress. */
const ORPHAN_AGE_MS = 60 * 60 * 1000

/** Number of files that one query looks up. */
const SWEEP_BATCH_SIZE = 100

/**
 * The photos of users: a row and a blob each, and blobs of thumbnails. A photo exists if its row exists; blobs without a
 * row are orphans, which the sweep deletes.
 */
export class Gallery {
  readonly #deps: GalleryDeps

  constructor(deps: GalleryDeps) {
    this.#deps = deps
  }

  /**
   * Reserves space in a user's gallery, before anything is received.
   * @param bytes as many as will be needed at most
   * @returns the space, which may be less; undefined if the user has too many uploads at a time
   * @throws DiskFullError; UserDeletedError
   */
  async reserve(userId: string, kind: ReservationKind, bytes: number): Promise<Reservation | undefined> {
    const { blobs, reservations } = this.#deps
    // A full disk must not hide that the user is being deleted.
    const reservation = await reservations.reserve(userId, kind, bytes)
    try {
      await blobs.checkSpace()
    } catch (error) {
      await reservation?.release()
      throw error
    }
    return reservation
  }

  /** Calls back when the uploads and recordings of a user must end; see {@link Reservations.onEnd}. */
  onEnd(listener: (userId: string) => void): () => void {
    return this.#deps.reservations.onEnd(listener)
  }

  /**
   * Streams the file of a photo into the blob store. The caller adds the photo to the gallery or discards it.
   * @param options.maxBytes limit of the content; larger files are rejected
   * @param options.signal ends it
   * @throws the error of the source or of the blob store
   */
  async receive(
    userId: string,
    source: AsyncIterable<Uint8Array>,
    options: PutOptions,
  ): Promise<ReceivedPhoto | PhotoRejection> {
    const { blobs, now } = this.#deps
    const { type, content } = await detectPhotoType(source)
    if (type === undefined) {
      // The parts of the form after this file can be parsed only once it was read to its end.
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

  /** How much each user may have, for messages. */
  get limit(): string {
    const { maxBytes, maxPhotos } = this.#deps.quota
    const mebibytes = Math.floor(maxBytes / 1024 / 1024)
    return `${mebibytes.toLocaleString('en')} MiB and ${maxPhotos.toLocaleString('en')} photos`
  }

  /**
   * Adds a video, an MP4 file, to a user's gallery.
   * @param requestId id of what was recorded
   * @param options.origin what recorded it
   * @param options.reservation the space for it, which the caller releases; undefined: what is free
   * @returns false if it would exceed the user's quota
   * @throws the error of the source or of the blob store; UserDeletedError
   */
  async addRecording(
    userId: string,
    requestId: string,
    source: AsyncIterable<Uint8Array>,
    {
      origin = 'stream',
      reservation,
    }: { readonly origin?: PhotoOrigin; readonly reservation?: Reservation } = {},
  ): Promise<boolean> {
    const { blobs, now, quota } = this.#deps
    if (reservation === undefined) {
      const own = await this.reserve(userId, 'recording', quota.maxBytes)
      if (own === undefined) return false
      return this.addRecording(userId, requestId, source, { origin, reservation: own }).finally(() =>
        own.release(),
      )
    }
    const photo = { id: newPhotoId(now()), userId, type: RECORDING_TYPE } as const
    const { bytes: maxBytes, signal } = reservation
    let isAdded = false
    try {
      const { size } = await blobs.put(keyOf(photo), source, { maxBytes, signal })
      signal.throwIfAborted()
      isAdded = await this.add({ ...photo, size }, { requestId, origin, packageName: null }, reservation)
    } catch (error) {
      if (!(error instanceof BlobTooLargeError)) throw error
    } finally {
      if (!isAdded) await this.discard(photo)
    }
    return isAdded
  }

  /**
   * Adds a received photo to its owner's gallery.
   * @param reservation the space that was reserved for it
   * @returns false if it would exceed the user's quota
   */
  add(
    photo: Omit<Photo, keyof PhotoSource | 'uploadedAt'>,
    source: PhotoSource,
    reservation?: Pick<Reservation, 'id'>,
  ): Promise<boolean> {
    const { store, quota, now } = this.#deps
    return store.add(
      { ...photo, ...source, uploadedAt: photoIdTime(photo.id) },
      quota,
      reservation && { id: reservation.id, now: now() },
    )
  }

  /** Deletes the file of a photo that was not added. Never throws; after an error, the sweep deletes the file. */
  async discard(photo: Pick<ReceivedPhoto, 'id' | 'userId'>): Promise<void> {
    await this.#deleteBlobs(photo.id, [keyOf(photo)])
  }

  /** Returns a user's photos, newest first. */
  list(userId: string, page: GalleryPage = {}): Promise<Photo[]> {
    return this.#deps.store.listByUser(userId, page)
  }

  /** Finds a photo of any user. Callers check the owner. */
  find(id: string): Promise<Photo | undefined> {
    return this.#deps.store.find(id)
  }

  /** Opens the file of a photo, or a range of it; undefined if it is missing. The stream must be consumed or destroyed. */
  open(photo: Pick<ReceivedPhoto, 'id' | 'userId'>, range?: ByteRange): Promise<Blob | undefined> {
    return this.#deps.blobs.get(keyOf(photo), { range })
  }

  /**
   * Deletes a photo: the row first, then the file and its thumbnails. A failure to delete those is only logged.
   * @returns false if the photo does not exist
   */
  async delete(photo: Photo): Promise<boolean> {
    const removed = await this.#deps.store.remove(photo.userId, photo.id)
    if (removed) await this.#deleteBlobs(photo.id, keysOf(photo))
    return removed
  }

  /**
   * Ends the uploads and recordings of a user on all nodes, and deletes the photos and files, orphaned files included.
   * Idempotent.
   */
  async deleteByUser(userId: string): Promise<void> {
    const { store, blobs, reservations } = this.#deps
    await reservations.endByUser(userId)
    await store.removeByUser(userId)
    for await (const { key } of blobs.list(folderOf(userId))) await blobs.delete(key)
  }

  /**
   * Deletes blobs without a photo: of uploads whose process died, and of photos whose blob could not be deleted. Photos
   * that are still to be delivered to an app are kept.
   * @throws the reason of the signal once it aborts
   */
  async sweep(signal?: AbortSignal): Promise<void> {
    let candidates: { key: string; id: string }[] = []
    const deleteOrphans = async () => {
      const referenced = await this.#deps.store.findReferencedIds(candidates.map(({ id }) => id))
      for (const { key, id } of candidates) {
        signal?.throwIfAborted()
        if (!referenced.has(id)) await this.#deps.blobs.delete(key)
      }
      candidates = []
    }
    const createdBefore = this.#deps.now() - ORPHAN_AGE_MS
    for await (const { key } of this.#deps.blobs.list(PHOTO_FOLDER)) {
      signal?.throwIfAborted()
      const id = photoIdOf(key)
      if (photoIdTime(id) < createdBefore) candidates.push({ key, id })
      if (candidates.length >= SWEEP_BATCH_SIZE) await deleteOrphans()
    }
    await deleteOrphans()
  }

  /** Never throws; after an error, the sweep deletes the blobs. */
  async #deleteBlobs(photoId: string, keys: readonly string[]): Promise<void> {
    const { blobs, log } = this.#deps
    for (const key of keys) {
      await blobs.delete(key).catch((error: unknown) => {
        log.error({ err: error, photo: photoId }, 'gallery: the file of a photo could not be deleted')
      })
    }
  }
}
