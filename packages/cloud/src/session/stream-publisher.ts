import type { DataStreamFields, StreamFacets } from '@glasses-cloud/contract'
import type { Subscriptions } from './subscriptions.ts'

/** Who listens: a running app, or the phone for its own. */
interface Listener {
  readonly sessionId: string
  sendStream(envelope: DataStreamFields, dataJson: string): void
}

/** Sends frames of streams to whoever listens: apps, and the phone for its own. */
export class StreamPublisher {
  readonly #subscriptions: Subscriptions
  readonly #listener: (packageName: string) => Listener | undefined
  readonly #now: () => string

  /** @param now the time as the wire wants it */
  constructor(
    subscriptions: Subscriptions,
    listener: (packageName: string) => Listener | undefined,
    now: () => string,
  ) {
    this.#subscriptions = subscriptions
    this.#listener = listener
    this.#now = now
  }

  /**
   * Sends a frame to every subscription it belongs to, under the app's own string. The payload is encoded once,
   * and not at all when nobody listens.
   */
  publish(stream: string, facets: StreamFacets, data: object): void {
    let dataJson: string | undefined
    let timestamp: string | undefined
    this.#subscriptions.forEachMatch(stream, facets, (packageName, { raw }) => {
      const listener = this.#listener(packageName)
      if (!listener) return
      dataJson ??= JSON.stringify(data)
      timestamp ??= this.#now()
      listener.sendStream({ sessionId: listener.sessionId, streamType: raw, timestamp }, dataJson)
    })
  }
}
