import { randomUUID } from 'node:crypto'
import type { PhotoError } from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import { baseUrlOf } from '../../http/request-origin.ts'
import type { ApiKeyStore, UserStore } from '../../identity/index.ts'
import { PeriodicTask } from '../../jobs/index.ts'
import type { PhotoClaim, PhotoTarget } from '../../session/index.ts'
import type { Clock } from '../../time/index.ts'
import { ifRecorded, readTraceParent, type Tracing } from '../../tracing/index.ts'
import {
  MultipartForm,
  type WebhookClient,
  type WebhookResponse,
  type WebhookTarget,
} from '../../webhooks/index.ts'
import { type App, type Catalogue, webhookTarget } from '../catalogue/index.ts'
import { filenameOf, type Gallery, type ReceivedPhoto } from '../gallery/index.ts'
import type { PhotoDelivery, PhotoDeliveryStore } from './photo-delivery-store.ts'
import { UploadTokens } from './upload-tokens.ts'

export interface PhotoRelayDeps {
  readonly catalogue: Pick<Catalogue, 'findFor'>
  readonly users: Pick<UserStore, 'findById'>
  readonly apiKeys: ApiKeyStore
  readonly gallery: Gallery
  readonly deliveries: PhotoDeliveryStore
  readonly webhooks: WebhookClient
  readonly tracing: Tracing
  /** `AUTH_SECRET`. */
  readonly secrets: readonly string[]
  /** Base URL of the cloud for clients. */
  readonly publicUrl: () => URL
  readonly clock: Clock
  readonly log: Logger
}

/** With `REPORT_TIMEOUT_MS` less than `ROW_LEASE_MS`, so that other processes do not take over a delivery in progress. */
const FORWARD_TIMEOUT_MS = 10_000
const REPORT_TIMEOUT_MS = 5_000

/** Interval between looking for deliveries of processes that died. */
const TAKE_OVER_INTERVAL_MS = 10_000

/** Attempts after which a delivery fails. Each further attempt follows the death of the process that delivered. */
const MAX_ATTEMPTS = 3

/** Path at which app servers receive photos and photo errors (app-socket.md §3.4). */
const WEBHOOK_PATH = '/photo-upload'

/**
 * Forwards uploaded photos to the apps that requested them, and reports failures to them (decision M5). A delivery is
 * stored until it is complete, so that another process delivers an accepted photo if this one dies (PHO-32).
 */
export class PhotoRelay {
  readonly tokens: UploadTokens
  readonly #deps: PhotoRelayDeps
  /** Unique across processes and restarts. */
  readonly #owner = randomUUID()
  readonly #takeOver: PeriodicTask
  readonly #inProgress = new Set<Promise<void>>()

  constructor(deps: PhotoRelayDeps) {
    const { clock, log, secrets } = deps
    this.#deps = deps
    this.tokens = new UploadTokens(secrets, () => clock.now())
    this.#takeOver = new PeriodicTask({
      clock,
      everyMs: TAKE_OVER_INTERVAL_MS,
      run: () => this.#takeOverExpired(),
      failed: (err) => log.error({ err }, 'photos: deliveries could not be taken over'),
    })
  }

  /** Starts to take over deliveries of processes that died. */
  start(countFailure?: () => void): void {
    this.#takeOver.start(countFailure)
  }

  /** Stops taking over deliveries. */
  stop(): Promise<void> {
    return this.#takeOver.stop()
  }

  /** Returns the URL and token with which glasses upload the photo that an app requested. */
  target(userId: string, packageName: string, requestId: string): PhotoTarget {
    const base = baseUrlOf(this.#deps.publicUrl())
    const span = this.#deps.tracing.start('photo.request', {
      attributes: { 'app.package_name': packageName },
    })
    span.end()
    const trace = ifRecorded(span.context)
    return {
      webhookUrl: `${base}/api/photos/upload`,
      authToken: this.tokens.issue({ sub: userId, packageName, requestId, ...(trace && { trace }) }),
    }
  }

  /** Runs what an upload causes as a part of the trace of its request, which the signed token of the upload names. */
  traceUpload<Result>(trace: string | undefined, task: () => Promise<Result>): Promise<Result> {
    const parent = readTraceParent(trace)
    return parent === undefined
      ? task()
      : this.#deps.tracing.run('photo.upload', { parent, kind: 'server' }, task)
  }

  /** Reports a failed photo request to the app. Returns immediately. */
  fail(userId: string, packageName: string, error: PhotoError): void {
    this.#track(this.#report(userId, packageName, error))
  }

  /** Stores the delivery of a photo. Once this resolves, the photo is delivered even if the process dies. */
  async accept(photo: ReceivedPhoto, claim: PhotoClaim): Promise<PhotoDelivery> {
    const { packageName, requestId, authToken } = claim
    const delivery = { photo, packageName, requestId, authToken, createdAt: this.#deps.clock.now() }
    await this.#deps.deliveries.add(delivery, this.#owner)
    return { ...delivery, attempts: 1 }
  }

  /** Removes an accepted delivery before it starts. Never throws. */
  async cancel({ photo }: PhotoDelivery): Promise<void> {
    try {
      await this.#deps.deliveries.remove(photo.id, this.#owner)
    } catch (err) {
      this.#deps.log.error({ err, photo: photo.id }, 'photos: a delivery could not be removed')
    }
  }

  /**
   * Forwards an accepted photo to the app, or reports the failure. Returns immediately, because glasses wait only 5 s
   * for the response to their upload. Deletes the file afterwards unless the photo is in the gallery.
   */
  deliver(delivery: PhotoDelivery): void {
    this.#track(this.#deliver(delivery))
  }

  /** Resolves when no delivery or report is in progress. */
  async idle(): Promise<void> {
    await this.#takeOver.idle()
    while (this.#inProgress.size > 0) await Promise.all(this.#inProgress)
  }

  async #takeOverExpired(): Promise<void> {
    const { deliveries, clock, log } = this.#deps
    for (;;) {
      const delivery = await deliveries.leases.claim(this.#owner, clock.now())
      if (!delivery) return
      const { photo, packageName, attempts } = delivery
      log.warn({ photo: photo.id, packageName, attempts }, 'photos: taking over a delivery')
      await this.#deliver(delivery)
    }
  }

  async #deliver(delivery: PhotoDelivery): Promise<void> {
    const { gallery, deliveries } = this.#deps
    const { photo, packageName, requestId, attempts } = delivery
    const app = await this.#findApp(photo.userId, packageName)
    if (app && attempts > MAX_ATTEMPTS) {
      await this.#report(
        photo.userId,
        packageName,
        forwardError(requestId, 'UPLOAD_FAILED', 'every attempt was interrupted'),
      )
    } else if (app) {
      const error = await this.#forward(app, delivery)
      if (error) await this.#report(photo.userId, packageName, error)
    }
    const isOwner = await deliveries.remove(photo.id, this.#owner)
    // A process that has taken over the delivery still needs the file.
    if (isOwner && !(await gallery.find(photo.id))) await gallery.discard(photo)
  }

  /** Forwards a photo to the app server. @returns the error to report if the app server did not accept it */
  async #forward(app: App, { photo, requestId, authToken }: PhotoDelivery): Promise<PhotoError | undefined> {
    const { gallery, webhooks, log } = this.#deps
    const form = new MultipartForm(
      { requestId, type: 'photo_upload', success: 'true' },
      {
        field: 'photo',
        filename: filenameOf(photo),
        type: photo.type,
        size: photo.size,
        open: async () => {
          const file = await gallery.open(photo)
          if (!file) throw new Error('The file of the photo is missing')
          return file.stream
        },
      },
    )
    const options = { timeoutMs: FORWARD_TIMEOUT_MS, bearer: authToken, kind: 'photo' } as const
    const target = await this.#targetOf(app)
    try {
      const response = await webhooks.postForm(target, WEBHOOK_PATH, form, options)
      return response.ok ? undefined : forwardError(requestId, forwardErrorCode(response), response.message)
    } catch (err) {
      log.error({ err, photo: photo.id }, 'photos: the file of a photo to deliver could not be read')
      return forwardError(requestId, 'UPLOAD_FAILED', 'its file could not be read')
    }
  }

  async #report(userId: string, packageName: string, error: PhotoError): Promise<void> {
    const { webhooks, log } = this.#deps
    const app = await this.#findApp(userId, packageName)
    if (!app) return
    const { requestId, type, errorCode, errorMessage, hop } = error
    // SDK 3 reads forms only.
    const form = new MultipartForm({ requestId, type, success: 'false', errorCode, errorMessage, hop })
    const response = await webhooks.postForm(await this.#targetOf(app), WEBHOOK_PATH, form, {
      timeoutMs: REPORT_TIMEOUT_MS,
    })
    if (!response.ok)
      log.warn(
        { packageName, hop: error.hop, code: response.code },
        'photos: a photo error could not be reported',
      )
  }

  /** Returns an app as the user has it: its server may have an address that is not approved yet. */
  async #findApp(userId: string, packageName: string): Promise<App | undefined> {
    const user = await this.#deps.users.findById(userId)
    return user && this.#deps.catalogue.findFor(user, packageName)
  }

  #targetOf(app: App): Promise<WebhookTarget> {
    return webhookTarget(this.#deps.apiKeys, app)
  }

  #track(work: Promise<void>): void {
    const done = work
      .catch((err: unknown) => this.#deps.log.error({ err }, 'photos: a photo could not be relayed'))
      .finally(() => this.#inProgress.delete(done))
    this.#inProgress.add(done)
  }
}

function forwardErrorCode({ code }: WebhookResponse & { ok: false }): string {
  if (code === 'TIMEOUT') return 'UPLOAD_TIMEOUT'
  return code.startsWith('REFUSED_') ? 'UPLOAD_FAILED' : 'NETWORK_ERROR'
}

function forwardError(requestId: string, errorCode: string, reason: string): PhotoError {
  return {
    requestId,
    type: 'photo_error',
    success: false,
    errorCode,
    errorMessage: `The photo could not be forwarded to the app: ${reason}`,
    hop: 'forward',
  }
}
