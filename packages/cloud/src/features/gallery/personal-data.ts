import type { DeletionStep, ExportSection } from '../account/index.ts'
import type { Gallery } from './gallery.ts'
import { photoView } from './photo-view.ts'

/** Photos read at a time. */
const SOME = 200

/**
 * The gallery in a data export: what is known of each photo, and in the JSON form where to fetch its file
 * (decision A3).
 * @param publicUrl where clients reach the cloud
 */
export function galleryExport(gallery: Gallery, publicUrl: () => URL): ExportSection {
  return {
    name: 'gallery',
    async *facts({ id, email }, format) {
      const base = publicUrl().href.replace(/\/+$/, '')
      let after: string | undefined
      do {
        const photos = await gallery.list(id, { limit: SOME, after })
        for (const photo of photos) {
          const { _id, userId, userEmail, ...facts } = photoView(photo, email)
          const file = { method: 'GET', url: `${base}/api/gallery/${_id}/file` }
          const value = format === 'json' ? { ...facts, file } : facts
          yield { key: _id, value, updatedAt: photo.uploadedAt }
        }
        after = photos.at(-1)?.id
      } while (after !== undefined)
    },
  }
}

/** Deletes the photos of a deleted account, and their files. */
export function removeGallery(gallery: Gallery): DeletionStep {
  return { name: 'gallery', run: ({ id }) => gallery.deleteAllOf(id) }
}
