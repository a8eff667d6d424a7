import {
  grants,
  matches,
  needsAudio,
  type Permission,
  parseSubscription,
  requiredPermission,
  type StreamFacets,
  type Subscription,
  type SubscriptionEntry,
} from '@glasses-cloud/contract'

/** A subscription left out because the app did not declare the permission it needs. */
export interface RejectedSubscription {
  readonly stream: string
  readonly requiredPermission: string
  readonly message: string
}

/**
 * What the apps of a session listen to, indexed by stream, so that an event costs what its listeners cost and
 * nothing for all the others.
 */
export class Subscriptions {
  readonly #byApp = new Map<string, readonly Subscription[]>()
  readonly #byStream = new Map<string, Map<string, Subscription[]>>()

  /**
   * Replaces an app's whole list. Every entry is kept, whatever it says, except those that need a permission the
   * app did not declare.
   * @returns what was left out
   */
  replace(
    packageName: string,
    entries: readonly SubscriptionEntry[],
    declared: readonly Permission[],
  ): RejectedSubscription[] {
    const refused: RejectedSubscription[] = []
    const accepted = new Map<string, Subscription>()
    for (const entry of entries) {
      const subscription = parseSubscription(entry)
      const required = requiredPermission(subscription)
      if (required === undefined || grants(declared, required)) {
        accepted.set(subscription.raw, subscription)
        continue
      }
      const message = `The stream ${subscription.raw} needs the permission ${required}, which the app does not declare`
      refused.push({ stream: subscription.raw, requiredPermission: required, message })
    }
    this.remove(packageName)
    if (accepted.size > 0) this.#add(packageName, [...accepted.values()])
    return refused
  }

  /** Forgets an app's list. */
  remove(packageName: string): void {
    for (const { stream } of this.get(packageName)) {
      const listeners = this.#byStream.get(stream)
      listeners?.delete(packageName)
      if (listeners?.size === 0) this.#byStream.delete(stream)
    }
    this.#byApp.delete(packageName)
  }

  /** An app's list. */
  get(packageName: string): readonly Subscription[] {
    return this.#byApp.get(packageName) ?? []
  }

  /** Calls back for every subscription a frame of the stream belongs to. */
  forEachMatch(
    stream: string,
    facets: StreamFacets,
    found: (packageName: string, subscription: Subscription) => void,
  ): void {
    for (const [packageName, subscriptions] of this.#byStream.get(stream) ?? []) {
      for (const subscription of subscriptions) {
        if (matches(subscription, facets)) found(packageName, subscription)
      }
    }
  }

  /** Whether any app listens to the stream, in any variant. */
  hasSubscribers(stream: string): boolean {
    return this.#byStream.has(stream)
  }

  /** Whether any app listens to something made from sound. */
  get requiresAudio(): boolean {
    for (const subscriptions of this.#byApp.values()) if (subscriptions.some(needsAudio)) return true
    return false
  }

  /** The languages apps want transcribed, each once. */
  get transcriptionLanguages(): string[] {
    const languages = new Set<string>()
    for (const subscriptions of this.#byStream.get('transcription')?.values() ?? []) {
      for (const { language } of subscriptions) if (language !== undefined) languages.add(language)
    }
    return [...languages]
  }

  /** Every app's list as the app wrote it. */
  snapshot(): Record<string, string[]> {
    return Object.fromEntries([...this.#byApp].map(([app, list]) => [app, list.map(({ raw }) => raw)]))
  }

  #add(packageName: string, subscriptions: readonly Subscription[]): void {
    this.#byApp.set(packageName, subscriptions)
    for (const subscription of subscriptions) {
      const listeners = this.#byStream.get(subscription.stream) ?? new Map<string, Subscription[]>()
      this.#byStream.set(subscription.stream, listeners)
      const own = listeners.get(packageName)
      if (own) own.push(subscription)
      else listeners.set(packageName, [subscription])
    }
  }
}
