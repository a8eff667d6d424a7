import type { DataStreamFields, StreamFacets } from '@glasses-cloud/contract'
import type { Subscriptions } from './subscriptions.ts'

/** A subscriber: a running app, or the phone for its mini-apps. */
interface Subscriber {
  readonly sessionId: string
  sendStream(envelope: DataStreamFields, dataJson: string, replacementKey?: string): void
}

/** Publishes frames of streams to their subscribers. */
export class StreamPublisher {
  readonly #subscriptions: Subscriptions
  readonly #findSubscriber: (packageName: string) => Subscriber | undefined
  readonly #timestamp: () => string

  constructor(
    subscriptions: Subscriptions,
    findSubscriber: (packageName: string) => Subscriber | undefined,
    timestamp: () => string,
  ) {
    this.#subscriptions = subscriptions
    this.#findSubscriber = findSubscriber
    this.#timestamp = timestamp
  }

  /**
   * Sends a frame once for every matching subscription, with the subscription string of the app. The payload is
   * encoded once for all subscribers, and not at all without one.
   * @param replacementKey frames that wait for an app are replaced by newer ones with the same key
   */
  publish(stream: string, facets: StreamFacets, data: object, replacementKey?: string): void {
    let dataJson: string | undefined
    let timestamp: string | undefined
    this.#subscriptions.forEachMatch(stream, facets, (packageName, { raw }) => {
      const subscriber = this.#findSubscriber(packageName)
      if (!subscriber) return
      dataJson ??= JSON.stringify(data)
      timestamp ??= this.#timestamp()
      subscriber.sendStream(
        { sessionId: subscriber.sessionId, streamType: raw, timestamp },
        dataJson,
        replacementKey,
      )
    })
  }
}
