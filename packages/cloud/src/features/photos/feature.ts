import type { Logger } from 'pino'
import type { Feature } from '../../feature.ts'
import type { ApiKeyStore, UserStore } from '../../identity/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { WebhookClient } from '../../webhooks/index.ts'
import type { AppStore } from '../catalogue/index.ts'
import type { Gallery } from '../gallery/index.ts'
import { PhotoRelay } from './photo-relay.ts'
import { photoResponse } from './photo-response.ts'
import { uploadPhoto } from './upload-photo.ts'

/** Collaborators of the photos. */
export interface PhotosDeps {
  readonly apps: AppStore
  readonly apiKeyStore: ApiKeyStore
  readonly users: UserStore
  readonly gallery: Gallery
  readonly sessions: SessionDirectory
  readonly webhooks: WebhookClient
  /** `AUTH_SECRET`. */
  readonly secret: string
  /** Base URL of the cloud for clients. */
  readonly publicUrl: () => URL
  readonly log: Logger
  /** Epoch ms. */
  readonly now: () => number
}

/** Photo uploads of glasses, forwarded to the apps that requested them. */
export function createPhotos(deps: PhotosDeps): Feature & { readonly relay: PhotoRelay } {
  const { apps, apiKeyStore, users, gallery, sessions, webhooks, secret, publicUrl, log, now } = deps
  const relay = new PhotoRelay({ apps, apiKeys: apiKeyStore, gallery, webhooks, secret, publicUrl, log })
  const endpointDeps = { gallery, relay, users, sessions, publicUrl, now }
  return {
    name: 'photos',
    relay,
    endpoints: [photoResponse(endpointDeps), uploadPhoto(endpointDeps)],
    close: () => relay.settled(),
  }
}
