import type { Subscription } from '@glasses-cloud/contract'
import type { AppSession } from '../apps/app-session.ts'
import { LazyMap } from '../lazy-collections.ts'
import type { Subscriptions } from '../subscriptions.ts'

/**
 * Detects new subscriptions to certain streams, whose subscribers receive the last value once. Each connection of an
 * app starts without subscriptions, because its process may have restarted.
 */
export class SubscriptionTracker {
  readonly #subscriptions: Subscriptions
  readonly #streams: readonly string[]
  /** Subscription strings by package name. */
  readonly #known = new LazyMap<string, ReadonlySet<string>>()

  constructor(subscriptions: Subscriptions, streams: readonly string[]) {
    this.#subscriptions = subscriptions
    this.#streams = streams
  }

  /** Returns the app's subscriptions that are new since the last call. */
  takeNew({ packageName }: AppSession): Subscription[] {
    const current = this.#subscriptions
      .get(packageName)
      .filter(({ stream }) => this.#streams.includes(stream))
    const known = this.#known.get(packageName)
    if (current.length === 0) this.#known.delete(packageName)
    else this.#known.set(packageName, new Set(current.map(({ raw }) => raw)))
    return current.filter(({ raw }) => !known?.has(raw))
  }

  /** Treats all subscriptions of the app as new. */
  reset(packageName: string): void {
    this.#known.delete(packageName)
  }
}
