import {
  type DataStreamFields,
  type PermissionType,
  requiredPermission,
  type StreamFacets,
} from '@glasses-cloud/contract'
import type { Subscriptions } from './subscriptions.ts'

/** A subscriber: a running app, or the phone for its mini-apps. */
interface Subscriber {
  readonly sessionId: string
  /** From when on it receives data that requires a permission, in milliseconds of the monotonic clock. */
  permittedSince(required: PermissionType): number
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
   * @param begunAt time of the oldest data in the frame, in milliseconds of the monotonic clock; now if absent. Apps whose permission is
   *   newer do not receive it (PRM-25).
   */
  publish(
    stream: string,
    facets: StreamFacets,
    data: object,
    replacementKey?: string,
    begunAt = Number.POSITIVE_INFINITY,
  ): void {
    let dataJson: string | undefined
    let timestamp: string | undefined
    this.#subscriptions.forEachMatch(stream, facets, (packageName, subscription) => {
      const { raw } = subscription
      const subscriber = this.#findSubscriber(packageName)
      if (!subscriber) return
      const required = begunAt === Number.POSITIVE_INFINITY ? undefined : requiredPermission(subscription)
      if (required !== undefined && subscriber.permittedSince(required) > begunAt) return
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
