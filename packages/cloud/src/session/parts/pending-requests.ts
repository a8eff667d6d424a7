import type { CloudToGlasses } from '@glasses-cloud/contract'
import type { Clock, Timer } from '../../time/index.ts'
import { LazyMap } from '../lazy-collections.ts'

/** A request that was sent to the glasses and has no response yet. */
export interface PendingRequest<Details = undefined> {
  /** Identifies the request among all pending ones, independent of the ids that owners chose. */
  readonly id: string
  /** Who made the request: a package name, or any name for requests that no app made. */
  readonly owner: string
  /** The id that the owner chose. */
  readonly requestId: string
  readonly details: Details
}

/** Why a request ended without a response. */
export type DropReason = 'timeout' | 'evicted'

export interface PendingRequestsOptions<Details> {
  readonly timeoutMs: number
  readonly maxPerOwner: number
  /** Called after a request timed out or was evicted, not after `complete` and `cancel`. */
  onDrop?(request: PendingRequest<Details>, reason: DropReason): void
  /** Whether a request stays pending after its timeout, until it is completed, canceled or evicted. */
  readonly outlastsTimeout?: boolean
  /** Sends the message of a request to the glasses. */
  send?(message: CloudToGlasses): void
}

interface Entry<Details> {
  readonly request: PendingRequest<Details>
  readonly deadline: Timer
  readonly message: CloudToGlasses | undefined
  /** In milliseconds of the monotonic clock. */
  readonly addedAt: number
}

/**
 * The requests that wait for a response of the glasses, each with a deadline. Bounded: beyond `maxPerOwner` a new
 * request evicts the oldest one of its owner. To reject the new one instead, check `isFull` first.
 */
export class PendingRequests<Details = undefined> implements Iterable<PendingRequest<Details>> {
  readonly #clock: Clock
  readonly #options: PendingRequestsOptions<Details>
  /** By id, oldest first. */
  readonly #entries = new LazyMap<string, Entry<Details>>()
  #collisions = 0

  constructor(clock: Clock, options: PendingRequestsOptions<Details>) {
    this.#clock = clock
    this.#options = options
  }

  /**
   * Adds a request that is not pending yet, and sends it. Its `id` is `requestId`, with a suffix if that is taken.
   * @param messageOf returns the message of the request with that `id`
   */
  add(
    owner: string,
    requestId: string,
    details: Details,
    messageOf?: (id: string) => CloudToGlasses,
  ): PendingRequest<Details> {
    if (this.isFull(owner)) this.#evictOldest(owner)
    const request = { id: this.#uniqueId(requestId), owner, requestId, details }
    const message = messageOf?.(request.id)
    const deadline = this.#clock.after(this.#options.timeoutMs, () => this.#timeOut(request))
    this.#entries.set(request.id, { request, deadline, message, addedAt: this.#clock.monotonicNow() })
    if (message) this.#options.send?.(message)
    return request
  }

  /**
   * Sends the requests again to glasses that reconnected: their last connection may have been dead before it was closed.
   * @param maxAgeMs leaves out older ones
   */
  resend(maxAgeMs = Number.POSITIVE_INFINITY): void {
    const now = this.#clock.monotonicNow()
    for (const { message, addedAt } of this.#entries.values())
      if (message && now - addedAt <= maxAgeMs) this.#options.send?.(message)
  }

  /** Whether the owner has as many pending requests as allowed. */
  isFull(owner: string): boolean {
    let count = 0
    for (const request of this) if (request.owner === owner) count += 1
    return count >= this.#options.maxPerOwner
  }

  /** Whether a request with that `id` is pending. */
  has(id: string): boolean {
    return this.#entries.has(id)
  }

  /** The pending request with that `id`. */
  get(id: string): PendingRequest<Details> | undefined {
    return this.#entries.get(id)?.request
  }

  /** The oldest request with the id that its owner chose, of one owner or of any. */
  find(requestId: string, owner?: string): PendingRequest<Details> | undefined {
    for (const request of this) {
      if (request.requestId === requestId && (owner === undefined || request.owner === owner)) return request
    }
    return undefined
  }

  /**
   * Removes the request that a response belongs to.
   * @returns undefined if none is pending under that `id`
   */
  complete(id: string): PendingRequest<Details> | undefined {
    const entry = this.#entries.get(id)
    entry?.deadline.cancel()
    this.#entries.delete(id)
    return entry?.request
  }

  /** Removes all requests of an owner and returns them, oldest first. */
  cancel(owner: string): PendingRequest<Details>[] {
    const canceled = [...this].filter((request) => request.owner === owner)
    for (const { id } of canceled) this.complete(id)
    return canceled
  }

  /** Removes all requests. */
  clear(): void {
    for (const { deadline } of this.#entries.values()) deadline.cancel()
    this.#entries.clear()
  }

  *[Symbol.iterator](): IterableIterator<PendingRequest<Details>> {
    for (const { request } of this.#entries.values()) yield request
  }

  #evictOldest(owner: string): void {
    for (const request of this) if (request.owner === owner) return this.#drop(request, 'evicted')
  }

  #timeOut(request: PendingRequest<Details>): void {
    if (this.#options.outlastsTimeout) this.#options.onDrop?.(request, 'timeout')
    else this.#drop(request, 'timeout')
  }

  #drop(request: PendingRequest<Details>, reason: DropReason): void {
    this.complete(request.id)
    this.#options.onDrop?.(request, reason)
  }

  #uniqueId(requestId: string): string {
    let id = requestId
    while (this.#entries.has(id)) {
      this.#collisions += 1
      id = `${requestId}_${this.#collisions}`
    }
    return id
  }
}
