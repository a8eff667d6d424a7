import type { Subscription } from '@glasses-cloud/contract'
import type { AppSession } from '../apps/app-session.ts'
import type { Subscriptions } from '../subscriptions.ts'

/**
 * Tells which subscriptions to some streams an app did not have before, so that it is given once what it missed. A
 * connection begins with none, for behind it may be a process that has just started.
 */
export class SubscriptionTracker {
  readonly #subscriptions: Subscriptions
  readonly #streams: ReadonlySet<string>
  readonly #known = new Map<string, ReadonlySet<string>>()

  constructor(subscriptions: Subscriptions, streams: readonly string[]) {
    this.#subscriptions = subscriptions
    this.#streams = new Set(streams)
  }

  /** The app's subscriptions that are new since the last call. */
  takeNew({ packageName }: AppSession): Subscription[] {
    const listening = this.#subscriptions.get(packageName).filter(({ stream }) => this.#streams.has(stream))
    const before = this.#known.get(packageName)
    if (listening.length === 0) this.#known.delete(packageName)
    else this.#known.set(packageName, new Set(listening.map(({ raw }) => raw)))
    return listening.filter(({ raw }) => !before?.has(raw))
  }

  /** The app begins anew. */
  reset(packageName: string): void {
    this.#known.delete(packageName)
  }
}
