import type { CloudToApp, SubscriptionEntry } from '@glasses-cloud/contract'
import type { AppSession } from '../apps/app-session.ts'
import type { Timer } from '../clock.ts'
import type { Peer } from '../peer.ts'
import type { AppHandlers, SessionContext, SessionFeature } from './feature.ts'

/** A list that came soon after an acknowledgement, and when it will be believed. */
interface Provisional {
  readonly until: number
  /** Until an empty list counts, and the socket it came by. */
  timer?: Timer
  saidBy?: Peer | undefined
}

/**
 * Takes the apps' subscription lists. The first list after an acknowledgement may be empty because the app has not
 * come round to its handlers yet, so an empty list replaces a full one only when it is still the last word when
 * that time is over (app socket protocol, 5.1-11).
 */
export class SubscriptionUpdates implements SessionFeature {
  readonly #context: SessionContext
  readonly #changed: (session?: AppSession) => void
  readonly #provisional = new Map<string, Provisional>()
  /** What each app asked for last, refused entries included. */
  readonly #asked = new Map<string, readonly SubscriptionEntry[]>()
  static readonly appHandlers: AppHandlers<SubscriptionUpdates> = {
    subscription_update: (feature, { subscriptions }, from) => feature.#update(from, subscriptions),
  }

  /** @param changed some app listens to something else now */
  constructor(context: SessionContext, changed: (session?: AppSession) => void) {
    this.#context = context
    this.#changed = changed
  }

  onAppConnected(session: AppSession, peer: Peer): void {
    const { packageName } = session
    const { clock, timing } = this.#context
    const { timer, saidBy } = this.#provisional.get(packageName) ?? {}
    const isEmptied = timer !== undefined && saidBy === peer
    this.#forget(packageName)
    const provisional = { until: clock.now() + timing.emptySubscriptionsGraceMs }
    this.#provisional.set(packageName, provisional)
    // What came by this very socket right before its acknowledgement is the app's last word for now.
    if (isEmptied) this.#emptyLater(session, provisional)
  }

  onAppReset(packageName: string): void {
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
    delete provisional?.timer
    const wait = provisional ? provisional.until - clock.now() : 0
    if (
      provisional &&
      entries.length === 0 &&
      wait > 0 &&
      subscriptions.get(session.packageName).length > 0
    ) {
      this.#emptyLater(session, provisional)
    } else this.#apply(session, entries)
  }

  #emptyLater(session: AppSession, provisional: Provisional): void {
    const { clock } = this.#context
    provisional.saidBy = session.peer
    provisional.timer = clock.after(provisional.until - clock.now(), () => {
      delete provisional.timer
      this.#apply(session, [])
    })
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
        timestamp: this.#context.timestamp(),
      } satisfies CloudToApp)
    }
    this.#changed(session)
  }

  #forget(packageName: string): void {
    this.#provisional.get(packageName)?.timer?.cancel()
    this.#provisional.delete(packageName)
  }
}
