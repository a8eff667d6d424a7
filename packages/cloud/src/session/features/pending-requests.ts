import type { Timer } from '../clock.ts'
import type { SessionContext } from './feature.ts'

/** A request of an app that the glasses have not answered yet. */
export interface PendingRequest {
  readonly packageName: string
  /** The app's own name for it. */
  readonly requestId: string
}

interface Entry extends PendingRequest {
  readonly deadline: Timer
}

/** How long to wait, how much at most, and what to do when no answer will come. */
export interface PendingRequestsOptions {
  /** Milliseconds. */
  readonly wait: number
  readonly perApp: number
  /** The request was given up; the reason is a sentence for the app. */
  gaveUp(request: PendingRequest, reason: string): void
}

/** Remembers which app asked the glasses for what, until they answer or it is too late. */
export class PendingRequests {
  readonly #context: SessionContext
  readonly #options: PendingRequestsOptions
  /** By the name the glasses know, oldest first. */
  readonly #open = new Map<string, Entry>()

  constructor(context: SessionContext, options: PendingRequestsOptions) {
    this.#context = context
    this.#options = options
  }

  /** Whether the very request is open. */
  has(packageName: string, requestId: string): boolean {
    return this.#of(packageName).some(([, entry]) => entry.requestId === requestId)
  }

  /**
   * Notes a request that is not open. An app that has too many open loses its oldest one, since what was asked last
   * matters most.
   * @returns the name to give it before the glasses
   */
  add(packageName: string, requestId: string): string {
    const own = this.#of(packageName)
    const { perApp, wait } = this.#options
    const [oldest] = own
    if (oldest && own.length >= perApp) this.#giveUp(oldest[0], 'The app asked for too much at a time')
    // Two apps may have chosen the same name; neither may get the other's answer.
    const id = this.#open.has(requestId) ? `${requestId}_${this.#context.createId()}` : requestId
    const deadline = this.#context.clock.after(wait, () =>
      this.#giveUp(id, 'The glasses did not answer in time'),
    )
    this.#open.set(id, { packageName, requestId, deadline })
    return id
  }

  /** Takes the request that an answer of the glasses belongs to, once. */
  settle(id: string): PendingRequest | undefined {
    const entry = this.#open.get(id)
    entry?.deadline.cancel()
    this.#open.delete(id)
    return entry
  }

  /**
   * Forgets what an app asked for.
   * @returns whether there was anything
   */
  drop(packageName: string): boolean {
    const own = this.#of(packageName)
    for (const [id] of own) this.settle(id)
    return own.length > 0
  }

  #of(packageName: string): [string, Entry][] {
    return [...this.#open].filter(([, entry]) => entry.packageName === packageName)
  }

  #giveUp(id: string, reason: string): void {
    const request = this.settle(id)
    if (request) this.#options.gaveUp(request, reason)
  }
}
