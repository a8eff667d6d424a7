import { createHmac } from 'node:crypto'
import type { Logger } from 'pino'
import { baseUrlOf } from '../../http/request-origin.ts'
import { deriveSecret, isEqualSecret } from '../../identity/index.ts'
import { PeriodicTask } from '../../jobs/index.ts'
import type { PhotoClaim } from '../../session/index.ts'
import type { Clock } from '../../time/index.ts'
import type { Gallery, ReceivedPhoto } from '../gallery/index.ts'
import type { PhotoDeliveryStore } from './photo-delivery-store.ts'

export interface PhotoLinksDeps {
  readonly deliveries: PhotoDeliveryStore
  readonly gallery: Pick<Gallery, 'find' | 'discard'>
  /** `AUTH_SECRET`. */
  readonly secrets: readonly string[]
  /** Base URL of the cloud for clients. */
  readonly publicUrl: () => URL
  readonly clock: Clock
  readonly log: Logger
}

/** Time within which an app loads a photo from its address. */
const LIFETIME_MS = 5 * 60_000

/** Photos of a user that have an address at a time; a further one replaces the oldest. */
const MAX_PER_USER = 20

/** Interval between removals of expired addresses. */
const SWEEP_INTERVAL_MS = 30_000

/** Number of addresses that are removed at once. */
const SWEEP_BATCH_SIZE = 100

/**
 * Short-lived addresses of photos, for apps that receive the result of a photo request on their socket (PHO-36). An
 * address is a row, so that every node serves it and it ends with its user; its signature is the credential.
 */
export class PhotoLinks {
  readonly #deps: PhotoLinksDeps
  /** One for each accepted secret, the current one first. */
  readonly #keys: readonly string[]
  readonly #sweep: PeriodicTask

  constructor(deps: PhotoLinksDeps) {
    const { secrets, clock, log } = deps
    this.#deps = deps
    this.#keys = secrets.map((secret) => deriveSecret(secret, 'photo link'))
    this.#sweep = new PeriodicTask({
      clock,
      everyMs: SWEEP_INTERVAL_MS,
      run: () => this.#removeExpired(),
      failed: (err) => log.error({ err }, 'photos: expired addresses could not be removed'),
    })
  }

  start(countFailure?: () => void): void {
    this.#sweep.start(countFailure)
  }

  stop(): Promise<void> {
    return this.#sweep.stop()
  }

  /** Creates the address of a photo. Its file is kept until the address expires. @returns the URL */
  async create(photo: ReceivedPhoto, { packageName, requestId }: PhotoClaim): Promise<string> {
    const { deliveries, publicUrl, clock } = this.#deps
    const delivery = { photo, packageName, requestId, authToken: undefined, createdAt: clock.now() }
    await deliveries.addLink(delivery)
    await this.#discard(await deliveries.removeOldLinks(photo.userId, MAX_PER_USER))
    const base = baseUrlOf(publicUrl())
    return `${base}/api/photos/shared/${photo.id}/${sign(photo.id, this.#keys[0] ?? '')}`
  }

  /** Removes the address of a photo, but not its file. Never throws. */
  async cancel({ id }: ReceivedPhoto): Promise<void> {
    try {
      await this.#deps.deliveries.removeLink(id)
    } catch (err) {
      this.#deps.log.error({ err, photo: id }, 'photos: an address could not be removed')
    }
  }

  /** Finds the photo of an address; undefined if the signature is wrong or the address has expired. */
  async find(photoId: string, signature: string): Promise<ReceivedPhoto | undefined> {
    const isSigned = this.#keys.some((key) => isEqualSecret(signature, sign(photoId, key)))
    return isSigned ? this.#deps.deliveries.findLink(photoId, this.#expiredUntil()) : undefined
  }

  /** Addresses that were created until then have expired, epoch ms. */
  #expiredUntil(): number {
    return this.#deps.clock.now() - LIFETIME_MS
  }

  async #removeExpired(): Promise<void> {
    const { deliveries } = this.#deps
    for (;;) {
      const expired = await deliveries.removeExpiredLinks(this.#expiredUntil(), SWEEP_BATCH_SIZE)
      if (expired.length === 0) return
      await this.#discard(expired)
    }
  }

  /** Deletes the files of photos that are not in the gallery. */
  async #discard(photos: readonly ReceivedPhoto[]): Promise<void> {
    const { gallery } = this.#deps
    for (const photo of photos) if (!(await gallery.find(photo.id))) await gallery.discard(photo)
  }
}

const sign = (photoId: string, key: string) => createHmac('sha256', key).update(photoId).digest('base64url')
