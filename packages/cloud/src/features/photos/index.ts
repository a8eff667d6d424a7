import type { Logger } from 'pino'
import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import type { ApiKeyStore, UserStore } from '../../identity/index.ts'
import { type ExportSection, inPages } from '../../personal-data.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { Clock } from '../../time/index.ts'
import type { Tracing } from '../../tracing/index.ts'
import type { WebhookClient } from '../../webhooks/index.ts'
import type { Catalogue } from '../catalogue/index.ts'
import type { Gallery } from '../gallery/index.ts'
import { photoEndpoints } from './endpoints.ts'
import { PhotoDeliveryStore } from './photo-delivery-store.ts'
import { PhotoLinks } from './photo-links.ts'
import { PhotoRelay } from './photo-relay.ts'

export interface PhotosDeps {
  readonly db: Database
  readonly clock: Clock
  readonly catalogue: Catalogue
  readonly apiKeyStore: ApiKeyStore
  readonly users: UserStore
  readonly gallery: Gallery
  readonly sessions: SessionDirectory
  readonly webhooks: WebhookClient
  readonly tracing: Tracing
  /** `AUTH_SECRET`. */
  readonly secrets: readonly string[]
  /** Base URL of the cloud for clients. */
  readonly publicUrl: () => URL
  readonly log: Logger
  /** Epoch ms. */
  readonly now: () => number
}

/** Photos: accepts uploads of glasses and forwards them to the apps that requested them. */
export function createPhotos(deps: PhotosDeps): Feature & { readonly relay: PhotoRelay } {
  const {
    db,
    clock,
    catalogue,
    apiKeyStore,
    users,
    gallery,
    sessions,
    webhooks,
    secrets,
    publicUrl,
    tracing,
    log,
    now,
  } = deps
  const deliveries = new PhotoDeliveryStore(db, secrets)
  const relay = new PhotoRelay({
    catalogue,
    users,
    apiKeys: apiKeyStore,
    gallery,
    deliveries,
    webhooks,
    secrets,
    publicUrl,
    tracing,
    clock,
    log,
  })
  const links = new PhotoLinks({ deliveries, gallery, secrets, publicUrl, clock, log })
  return {
    name: 'photos',
    relay,
    endpoints: photoEndpoints({ gallery, relay, links, users, sessions, publicUrl, now }),
    exportSections: [photoDeliveriesExport(deliveries)],
    jobs: [relay, links],
    close: () => relay.idle(),
  }
}

/** Exports the pending deliveries of the user's photos to apps. */
function photoDeliveriesExport(deliveries: PhotoDeliveryStore): ExportSection {
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
