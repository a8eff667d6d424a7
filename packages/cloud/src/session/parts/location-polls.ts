import type { LocationTier } from '@glasses-cloud/contract'
import type { SessionContext } from './part.ts'
import { PendingRequests } from './pending-requests.ts'

const MAX_POLLS_PER_APP = 10

/** Forwards location polls of apps to the phone, and matches its responses to them. */
export class LocationPolls {
  readonly #context: SessionContext
  readonly #failed: (packageName: string, correlationId: string, reason: string) => void
  readonly #pending: PendingRequests

  /** @param failed called when a poll cannot be answered; `reason` is a sentence for the app */
  constructor(
    context: SessionContext,
    failed: (packageName: string, correlationId: string, reason: string) => void,
  ) {
    this.#context = context
    this.#failed = failed
    this.#pending = new PendingRequests(context.clock, {
      timeoutMs: context.timing.locationPollTimeoutMs,
      maxPerOwner: MAX_POLLS_PER_APP,
      onDrop: ({ owner, requestId }) =>
        failed(owner, requestId, 'The phone did not report a location in time'),
      send: context.sendToGlasses,
    })
  }

  /** Polls the phone, unless the same poll is pending (LOC-18). */
  poll(packageName: string, correlationId: string, tier: LocationTier): void {
    if (this.#pending.find(correlationId, packageName)) return
    if (this.#pending.isFull(packageName))
      return this.#failed(
        packageName,
        correlationId,
        `The app has ${MAX_POLLS_PER_APP} pending location polls already`,
      )
    if (!this.#context.isGlassesSocketOpen())
      return this.#failed(packageName, correlationId, 'The phone is not connected to the cloud')
    this.#pending.add(packageName, correlationId, undefined, (id) => ({
      type: 'request_single_location',
      accuracy: tier,
      correlationId: id,
      timestamp: this.#context.timestamp(),
    }))
  }

  /** Sends the pending polls to a phone that reconnected and may not have received them. */
  resend(): void {
    this.#pending.resend()
  }

  /**
   * Removes the poll that a response of the phone belongs to.
   * @returns undefined if no such poll is pending
   */
  complete(id: string): { readonly packageName: string; readonly correlationId: string } | undefined {
    const poll = this.#pending.complete(id)
    return poll && { packageName: poll.owner, correlationId: poll.requestId }
  }

  /** Drops one poll of an app. */
  cancel(packageName: string, correlationId: string): void {
    const poll = this.#pending.find(correlationId, packageName)
    if (poll) this.#pending.complete(poll.id)
  }

  /** Drops all polls of an app. */
  cancelAll(packageName: string): void {
    this.#pending.cancel(packageName)
  }

  /** Drops all polls. */
  end(): void {
    this.#pending.clear()
  }
}
