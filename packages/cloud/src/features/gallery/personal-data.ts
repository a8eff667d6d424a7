import { type DeletionStep, type ExportSection, inPages } from '../../personal-data.ts'
import type { Gallery } from './gallery.ts'
import { photoView } from './photo-view.ts'

/**
 * Exports the metadata of each photo; in JSON also the request that returns its file.
 * @param publicUrl base URL of the cloud for clients
 */
export function galleryExport(gallery: Gallery, publicUrl: () => URL): ExportSection {
  return {
    name: 'gallery',
    tables: ['gallery_photos'],
    async *facts({ id: userId, email }, format) {
      const base = publicUrl().href.replace(/\/+$/, '')
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
export function deleteGallery(gallery: Gallery): DeletionStep {
  return { name: 'gallery', phase: 'content', run: ({ id }) => gallery.deleteByUser(id) }
}
