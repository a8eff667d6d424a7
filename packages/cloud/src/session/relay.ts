import type { StreamFacets } from '@glasses-cloud/contract'
import type { AppSessions } from './apps/app-sessions.ts'
import type { Subscriptions } from './subscriptions.ts'

/** Sends frames of streams to the apps that listen. */
export class Relay {
  readonly #subscriptions: Subscriptions
  readonly #apps: AppSessions
  readonly #now: () => string

  /** @param now the time as the wire wants it */
  constructor(subscriptions: Subscriptions, apps: AppSessions, now: () => string) {
    this.#subscriptions = subscriptions
    this.#apps = apps
    this.#now = now
  }

  /**
   * Sends a frame to every subscription it belongs to, under the app's own string. The payload is encoded once,
   * and not at all when nobody listens.
   */
  send(stream: string, facets: StreamFacets, data: object): void {
    let dataJson: string | undefined
    let timestamp: string | undefined
    this.#subscriptions.forEachMatch(stream, facets, (packageName, { raw }) => {
      const session = this.#apps.get(packageName)
      if (!session) return
      dataJson ??= JSON.stringify(data)
      timestamp ??= this.#now()
      session.deliver({ sessionId: session.sessionId, streamType: raw, timestamp }, dataJson)
    })
  }
}
