import {
  grants,
  matches,
  needsAudio,
  needsSpeech,
  type Permission,
  parseSubscription,
  requiredPermission,
  type StreamFacets,
  type Subscription,
  type SubscriptionEntry,
} from '@glasses-cloud/contract'

/** A subscription that was rejected because the app does not declare the required permission. */
export interface RejectedSubscription {
  readonly stream: string
  readonly requiredPermission: string
  readonly message: string
}

/**
 * The subscriptions of the apps of a session, indexed by stream, so that an event costs nothing for apps that are not
 * subscribed to it.
 */
export class Subscriptions {
  readonly #byApp = new Map<string, readonly Subscription[]>()
  readonly #byStream = new Map<string, Map<string, Subscription[]>>()

  /**
   * Replaces the subscriptions of an app. Entries with unknown streams are kept; entries that require a permission
   * that the app does not declare are rejected.
   * @returns the rejected entries
   */
  replace(
    packageName: string,
    entries: readonly SubscriptionEntry[],
    declared: readonly Permission[],
  ): RejectedSubscription[] {
    const rejected: RejectedSubscription[] = []
    const accepted = new Map<string, Subscription>()
    for (const entry of entries) {
      const subscription = parseSubscription(entry)
      const required = requiredPermission(subscription)
      if (required === undefined || grants(declared, required)) {
        accepted.set(subscription.raw, subscription)
        continue
      }
      const message = `The stream ${subscription.raw} needs the permission ${required}, which the app does not declare`
      rejected.push({ stream: subscription.raw, requiredPermission: required, message })
    }
    this.remove(packageName)
    if (accepted.size > 0) this.#add(packageName, [...accepted.values()])
    return rejected
  }

  remove(packageName: string): void {
    for (const { stream } of this.get(packageName)) {
      const byApp = this.#byStream.get(stream)
      byApp?.delete(packageName)
      if (byApp?.size === 0) this.#byStream.delete(stream)
    }
    this.#byApp.delete(packageName)
  }

  get(packageName: string): readonly Subscription[] {
    return this.#byApp.get(packageName) ?? []
  }

  /** Calls `visit` for every subscription that matches a frame of the stream. */
  forEachMatch(
    stream: string,
    facets: StreamFacets,
    visit: (packageName: string, subscription: Subscription) => void,
  ): void {
    for (const [packageName, subscriptions] of this.#byStream.get(stream) ?? []) {
      for (const subscription of subscriptions) {
        if (matches(subscription, facets)) visit(packageName, subscription)
      }
    }
  }

  /** Calls `visit` for every subscription to the stream, in any variant. */
  forEach(stream: string, visit: (packageName: string, subscription: Subscription) => void): void {
    for (const [packageName, subscriptions] of this.#byStream.get(stream) ?? []) {
      for (const subscription of subscriptions) visit(packageName, subscription)
    }
  }

  /** Whether any app is subscribed to the stream, in any variant. */
  hasSubscribers(stream: string): boolean {
    return this.#byStream.has(stream)
  }

  /** Whether any subscription requires audio from the microphone. */
  get requiresAudio(): boolean {
    for (const subscriptions of this.#byApp.values()) if (subscriptions.some(needsAudio)) return true
    return false
  }

  /** Whether any subscription requires speech recognition. */
  get requiresSpeech(): boolean {
    for (const subscriptions of this.#byApp.values()) if (subscriptions.some(needsSpeech)) return true
    return false
  }

  /** The languages with a transcription subscription, without duplicates. */
  get transcriptionLanguages(): string[] {
    const languages = new Set<string>()
    for (const subscriptions of this.#byStream.get('transcription')?.values() ?? []) {
      for (const { language } of subscriptions) if (language !== undefined) languages.add(language)
    }
    return [...languages]
  }

  /** The subscription strings by package name, as the apps sent them. */
  snapshot(): Record<string, string[]> {
    return Object.fromEntries([...this.#byApp].map(([app, list]) => [app, list.map(({ raw }) => raw)]))
  }

  #add(packageName: string, subscriptions: readonly Subscription[]): void {
    this.#byApp.set(packageName, subscriptions)
    for (const subscription of subscriptions) {
      const byApp = this.#byStream.get(subscription.stream) ?? new Map<string, Subscription[]>()
      this.#byStream.set(subscription.stream, byApp)
      const own = byApp.get(packageName)
      if (own) own.push(subscription)
      else byApp.set(packageName, [subscription])
    }
  }
}
