import { type ExportSection, inPages } from '../../personal-data.ts'
import type { PhotoDeliveryStore } from './photo-delivery-store.ts'

/** Exports the pending deliveries of the user's photos to apps. */
export function photoDeliveriesExport(deliveries: PhotoDeliveryStore): ExportSection {
  return {
    name: 'photoDeliveries',
    tables: ['photo_deliveries'],
    async *facts({ id: userId }) {
      const pending = inPages(
        (after, limit) => deliveries.listByUser(userId, { limit, after }),
        ({ photo }) => photo.id,
      )
      for await (const { photo, packageName, requestId, createdAt } of pending) {
        const { type: mimeType, size } = photo
        yield { key: photo.id, value: { packageName, requestId, mimeType, size }, updatedAt: createdAt }
      }
    },
  }
}
