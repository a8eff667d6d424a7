import type { CloudToApp, SubscriptionEntry } from '@glasses-cloud/contract'
import type { AppSession } from '../apps/app-session.ts'
import type { Timer } from '../clock.ts'
import type { AppHandlers, SessionContext, SessionFeature } from './feature.ts'

/** A list that came soon after an acknowledgement, and when it will be believed. */
interface Provisional {
  readonly until: number
  timer?: Timer
}

/**
 * Takes the apps' subscription lists. The first list after an acknowledgement may be empty because the app has not
 * come round to its handlers yet, so an empty list replaces a full one only when it is still the last word when
 * that time is over (app socket protocol, 5.1-11).
 */
export class Subscribing implements SessionFeature {
  readonly #context: SessionContext
  readonly #changed: (session?: AppSession) => void
  readonly #provisional = new Map<string, Provisional>()
  /** What each app asked for last, refused entries included. */
  readonly #asked = new Map<string, readonly SubscriptionEntry[]>()
  readonly fromApp: AppHandlers

  /** @param changed some app listens to something else now */
  constructor(context: SessionContext, changed: (session?: AppSession) => void) {
    this.#context = context
    this.#changed = changed
    this.fromApp = { subscription_update: ({ subscriptions }, from) => this.#update(from, subscriptions) }
  }

  appConnected({ packageName }: AppSession): void {
    this.#forget(packageName)
    const { clock, timing } = this.#context
    this.#provisional.set(packageName, { until: clock.now() + timing.emptySubscriptions })
  }

  appReset(packageName: string): void {
    this.#forget(packageName)
    this.#asked.delete(packageName)
    this.#context.subscriptions.remove(packageName)
    this.#changed()
  }

  /** The app's permissions changed: what it asked for is granted or refused anew. */
  permissionsChanged(session: AppSession): void {
    const asked = this.#asked.get(session.packageName)
    if (asked) this.#apply(session, asked)
  }

  #update(session: AppSession, entries: readonly SubscriptionEntry[]): void {
    const { clock, subscriptions } = this.#context
    const provisional = this.#provisional.get(session.packageName)
    provisional?.timer?.cancel()
    const wait = provisional ? provisional.until - clock.now() : 0
    if (provisional && entries.length === 0 && wait > 0 && subscriptions.of(session.packageName).length > 0) {
      provisional.timer = clock.after(wait, () => this.#apply(session, entries))
    } else this.#apply(session, entries)
  }

  #apply(session: AppSession, entries: readonly SubscriptionEntry[]): void {
    const { packageName, sessionId, app } = session
    this.#asked.set(packageName, entries)
    const refused = this.#context.subscriptions.replace(packageName, entries, app?.permissions ?? [])
    if (refused.length > 0) {
      session.peer?.send({
        type: 'permission_error',
        message: 'Some subscriptions need a permission that the app does not declare',
        details: refused,
        sessionId,
        timestamp: this.#context.now(),
      } satisfies CloudToApp)
    }
    this.#changed(session)
  }

  #forget(packageName: string): void {
    this.#provisional.get(packageName)?.timer?.cancel()
    this.#provisional.delete(packageName)
  }
}
