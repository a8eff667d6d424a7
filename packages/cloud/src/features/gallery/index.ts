import type { Logger } from 'pino'
import type { BlobStore } from '../../blobs/index.ts'
import type { Bus } from '../../bus/index.ts'
import type { Config } from '../../config/index.ts'
import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import { baseUrlOf } from '../../http/request-origin.ts'
import { createSweepJob, JobRunStore } from '../../jobs/index.ts'
import { type DeletionStep, type ExportSection, inPages } from '../../personal-data.ts'
import type { Clock } from '../../time/index.ts'
import { galleryEndpoints, photoView } from './endpoints.ts'
import { Gallery } from './gallery.ts'
import { GalleryStore } from './gallery-store.ts'
import { ReservationStore } from './reservation-store.ts'
import { Reservations } from './reservations.ts'
import { ImageProcesses } from './resize-image.ts'
import { Thumbnails } from './thumbnails.ts'

export type { Gallery, PhotoRejection } from './gallery.ts'
export { filenameOf, type ReceivedPhoto } from './photo.ts'
export { LEASE_MS as RESERVATION_LEASE_MS, type Reservation, UserDeletedError } from './reservations.ts'
export { findImageProblem } from './resize-image.ts'

/** Bounds the size of lists, exports and deletions, regardless of the size of the photos. */
const MAX_PHOTOS_PER_USER = 10_000

const SWEEP_INTERVAL_MS = 24 * 60 * 60 * 1000

const SWEEP_CHECK_INTERVAL_MS = 60 * 60 * 1000

export interface GalleryFeatureDeps {
  readonly db: Database
  readonly blobs: BlobStore
  readonly bus: Pick<Bus, 'publish' | 'subscribe'>
  readonly clock: Clock
  readonly log: Logger
  readonly config: Pick<Config, 'limits'>
  /** Base URL of the cloud for clients. */
  readonly publicUrl: () => URL
}

/** Gallery: lists, serves and deletes the user's photos under `/api/gallery`. Photo uploads add them. */
export function createGallery(deps: GalleryFeatureDeps): Feature & { readonly gallery: Gallery } {
  const { db, blobs, bus, clock, log, config, publicUrl } = deps
  const { galleryBytes: maxBytes } = config.limits
  const reservations = new Reservations({ store: new ReservationStore(db), bus, clock, log, maxBytes })
  const store = new GalleryStore(db)
  const gallery = new Gallery({
    store,
    reservations,
    blobs,
    log,
    quota: { maxBytes, maxPhotos: MAX_PHOTOS_PER_USER },
    now: () => clock.now(),
  })
  const images = new ImageProcesses()
  const sweep = createSweepJob({
    name: 'gallery-sweep',
    everyMs: SWEEP_INTERVAL_MS,
    checkEveryMs: SWEEP_CHECK_INTERVAL_MS,
    sweep: (signal) => gallery.sweep(signal),
    runs: new JobRunStore(db),
    clock,
    log,
  })
  return {
    name: 'gallery',
    gallery,
    endpoints: galleryEndpoints({
      gallery,
      thumbnails: new Thumbnails({ store, blobs, images, log }),
    }),
    exportSections: [galleryExport(gallery, publicUrl)],
    deletionSteps: [deleteGallery(gallery)],
    jobs: [sweep, reservations],
    close: () => images.close(),
  }
}

/**
 * Exports the metadata of each photo; in JSON also the request that returns its file.
 * @param publicUrl base URL of the cloud for clients
 */
export function galleryExport(gallery: Gallery, publicUrl: () => URL): ExportSection {
  return {
    name: 'gallery',
    tables: ['gallery_photos'],
    async *facts({ id: userId, email }, format) {
      const base = baseUrlOf(publicUrl())
      const photos = inPages(
        (after, limit) => gallery.list(userId, { limit, after }),
        ({ id }) => id,
      )
      for await (const photo of photos) {
        const { _id, userId, userEmail, ...facts } = photoView(photo, email)
        const file = { method: 'GET', url: `${base}/api/gallery/${_id}/file` }
        const value = format === 'json' ? { ...facts, file } : facts
        yield { key: _id, value, updatedAt: photo.uploadedAt }
      }
    },
  }
}

/** Deletes the user's photos and their files. */
function deleteGallery(gallery: Gallery): DeletionStep {
  return { name: 'gallery', phase: 'content', run: ({ id }) => gallery.deleteByUser(id) }
}
