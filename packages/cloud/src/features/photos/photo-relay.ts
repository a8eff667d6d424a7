import type { PhotoError } from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import type { ApiKeyStore } from '../../identity/index.ts'
import type { PhotoClaim, PhotoTarget } from '../../session/index.ts'
import {
  MultipartForm,
  type WebhookClient,
  type WebhookResponse,
  type WebhookTarget,
} from '../../webhooks/index.ts'
import { type App, type AppStore, webhookTarget } from '../catalogue/index.ts'
import { filenameOf, type Gallery, type ReceivedPhoto } from '../gallery/index.ts'
import { UploadTokens } from './upload-tokens.ts'

/** What photos are relayed with. */
export interface PhotoRelayParts {
  readonly apps: AppStore
  readonly apiKeys: ApiKeyStore
  readonly gallery: Gallery
  readonly webhooks: WebhookClient
  readonly secret: string
  /** Where phones and glasses reach the cloud. */
  readonly publicUrl: () => URL
  readonly log: Logger
}

/** How long an app's server may take for a photo, in ms. */
const FORWARD_MS = 10_000

/** How long an app's server may take to hear that there is none, in ms. */
const FAIL_MS = 5_000

/** Where app servers take photos, and the reasons why they get none (app-socket.md §3.4). */
const PATH = '/photo-upload'

/** Between the glasses, which upload here, and the apps, which wait at their `/photo-upload` (decision M5). */
export class PhotoRelay {
  readonly tokens: UploadTokens
  readonly #parts: PhotoRelayParts
  readonly #underWay = new Set<Promise<void>>()

  constructor(parts: PhotoRelayParts) {
    this.#parts = parts
    this.tokens = new UploadTokens(parts.secret)
  }

  /** Where the glasses of a user upload the photo that an app asked for. */
  target(userId: string, packageName: string, requestId: string): PhotoTarget {
    const base = this.#parts.publicUrl().href.replace(/\/+$/, '')
    return {
      webhookUrl: `${base}/api/photos/upload`,
      authToken: this.tokens.issue({ sub: userId, packageName, requestId }),
    }
  }

  /** Tells an app that a photo will not come. Returns at once. */
  fail(packageName: string, error: PhotoError): void {
    this.#begin(this.#fail(packageName, error))
  }

  /**
   * Sends a photo to the app that asked for it, or tells the app why it cannot. Returns at once: glasses wait five
   * seconds for their answer, whatever the app's server does. The file of a photo that is in no gallery goes then.
   */
  forward(photo: ReceivedPhoto, claim: PhotoClaim): void {
    this.#begin(this.#forward(photo, claim))
  }

  /** Resolves when nothing is under way; every call has its own deadline. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  async #forward(photo: ReceivedPhoto, claim: PhotoClaim): Promise<void> {
    const { packageName, requestId, authToken, saveToGallery } = claim
    const { gallery, webhooks, apps } = this.#parts
    try {
      const app = await apps.findByPackage(packageName)
      if (!app) return
      const form = new MultipartForm(
        { requestId, type: 'photo_upload', success: 'true' },
        {
          field: 'photo',
          filename: filenameOf(photo),
          type: photo.type,
          size: photo.size,
          open: async () => {
            const file = await gallery.open(photo)
            if (!file) throw new Error('the file of the photo is gone')
            return file.stream
          },
        },
      )
      const options = { timeoutMs: FORWARD_MS, bearer: authToken }
      const answer = await webhooks.postForm(await this.#targetOf(app), PATH, form, options)
      if (!answer.ok) await this.#fail(packageName, forwardError(requestId, answer))
    } finally {
      if (!saveToGallery) await gallery.discard(photo)
    }
  }

  async #fail(packageName: string, error: PhotoError): Promise<void> {
    const { apps, webhooks, log } = this.#parts
    const app = await apps.findByPackage(packageName)
    if (!app) return
    const answer = await webhooks.post(await this.#targetOf(app), PATH, error, { timeoutMs: FAIL_MS })
    if (!answer.ok)
      log.warn({ packageName, hop: error.hop, code: answer.code }, 'an app was not told that a photo failed')
  }

  #targetOf(app: App): Promise<WebhookTarget> {
    return webhookTarget(this.#parts.apiKeys, app)
  }

  #begin(work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => this.#parts.log.error({ err: error }, 'a photo could not be relayed'))
      .finally(() => this.#underWay.delete(done))
    this.#underWay.add(done)
  }
}

function forwardError(requestId: string, { code, message }: WebhookResponse & { ok: false }): PhotoError {
  const errorCode =
    code === 'TIMEOUT' ? 'UPLOAD_TIMEOUT' : code.startsWith('REFUSED_') ? 'UPLOAD_FAILED' : 'NETWORK_ERROR'
  return {
    requestId,
    type: 'photo_error',
    success: false,
    errorCode,
    errorMessage: `The photo could not be handed to the app: ${message}`,
    hop: 'forward',
  }
}
