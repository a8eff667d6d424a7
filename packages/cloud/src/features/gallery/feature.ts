import type { Logger } from 'pino'
import type { BlobStore } from '../../blobs/index.ts'
import type { Config } from '../../config/index.ts'
import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import { createSweepJob, JobRunStore } from '../../jobs/index.ts'
import type { Clock } from '../../time/index.ts'
import { deletePhoto } from './delete-photo.ts'
import { Gallery } from './gallery.ts'
import { GalleryStore } from './gallery-store.ts'
import { getPhotoFile } from './get-photo-file.ts'
import { listPhotos } from './list-photos.ts'
import { deleteGallery, galleryExport } from './personal-data.ts'

/** Bounds the size of lists, exports and deletions, regardless of the size of the photos. */
const MAX_PHOTOS_PER_USER = 10_000

const SWEEP_INTERVAL_MS = 24 * 60 * 60 * 1000

const SWEEP_CHECK_INTERVAL_MS = 60 * 60 * 1000

/** Collaborators of the gallery feature. */
export interface GalleryFeatureDeps {
  readonly db: Database
  readonly blobs: BlobStore
  readonly clock: Clock
  readonly log: Logger
  readonly config: Pick<Config, 'limits'>
  /** Base URL of the cloud for clients. */
  readonly publicUrl: () => URL
}

/** Gallery: lists, serves and deletes the user's photos under `/api/gallery`. Photo uploads add them. */
export function createGallery(deps: GalleryFeatureDeps): Feature & { readonly gallery: Gallery } {
  const { db, blobs, clock, log, config, publicUrl } = deps
  const gallery = new Gallery({
    store: new GalleryStore(db),
    blobs,
    log,
    quota: { maxBytes: config.limits.galleryBytes, maxPhotos: MAX_PHOTOS_PER_USER },
    now: () => clock.now(),
  })
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
    endpoints: [listPhotos({ gallery }), getPhotoFile({ gallery }), deletePhoto({ gallery })],
    exportSections: [galleryExport(gallery, publicUrl)],
    deletionSteps: [deleteGallery(gallery)],
    jobs: [sweep],
  }
}
