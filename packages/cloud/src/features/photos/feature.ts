import type { Logger } from 'pino'
import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import type { ApiKeyStore, UserStore } from '../../identity/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { Clock } from '../../time/index.ts'
import type { WebhookClient } from '../../webhooks/index.ts'
import type { AppStore } from '../catalogue/index.ts'
import type { Gallery } from '../gallery/index.ts'
import { getSharedPhoto } from './get-shared-photo.ts'
import { photoDeliveriesExport } from './personal-data.ts'
import { PhotoDeliveryStore } from './photo-delivery-store.ts'
import { PhotoLinks } from './photo-links.ts'
import { PhotoRelay } from './photo-relay.ts'
import { photoResponse } from './photo-response.ts'
import { uploadPhoto } from './upload-photo.ts'
import { uploadVideo } from './upload-video.ts'

/** Collaborators of the photos feature. */
export interface PhotosDeps {
  readonly db: Database
  readonly clock: Clock
  readonly apps: AppStore
  readonly apiKeyStore: ApiKeyStore
  readonly users: UserStore
  readonly gallery: Gallery
  readonly sessions: SessionDirectory
  readonly webhooks: WebhookClient
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
  const { db, clock, apps, apiKeyStore, users, gallery, sessions, webhooks, secrets, publicUrl, log, now } =
    deps
  const deliveries = new PhotoDeliveryStore(db, secrets)
  const relay = new PhotoRelay({
    apps,
    apiKeys: apiKeyStore,
    gallery,
    deliveries,
    webhooks,
    secrets,
    publicUrl,
    clock,
    log,
  })
  const links = new PhotoLinks({ deliveries, gallery, secrets, publicUrl, clock, log })
  const endpointDeps = { gallery, relay, links, users, sessions, publicUrl, now }
  return {
    name: 'photos',
    relay,
    endpoints: [
      getSharedPhoto(endpointDeps),
      photoResponse(endpointDeps),
      uploadPhoto(endpointDeps),
      uploadVideo(endpointDeps),
    ],
    exportSections: [photoDeliveriesExport(deliveries)],
    jobs: [relay, links],
    close: () => relay.idle(),
  }
}
