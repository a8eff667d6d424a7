import { type ExportSection, inPages } from '../../personal-data.ts'
import type { PhotoDeliveryStore } from './photo-delivery-store.ts'

/** Exports the photos that have not reached the app that requested them. */
export function photoDeliveriesExport(deliveries: PhotoDeliveryStore): ExportSection {
  return {
    name: 'photoDeliveries',
    tables: ['photo_deliveries'],
    async *facts({ id: userId }) {
      const pending = inPages(
        (after, limit) => deliveries.listOf(userId, { limit, after }),
        ({ photo }) => photo.id,
      )
      for await (const { photo, packageName, requestId, createdAt } of pending) {
        const { type: mimeType, size } = photo
        yield { key: photo.id, value: { packageName, requestId, mimeType, size }, updatedAt: createdAt }
      }
    },
  }
}
