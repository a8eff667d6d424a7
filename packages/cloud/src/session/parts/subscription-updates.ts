import type { CloudToApp, SubscriptionEntry } from '@glasses-cloud/contract'
import type { Timer } from '../../time/index.ts'
import type { AppSession } from '../apps/app-session.ts'
import { LazyMap } from '../lazy-collections.ts'
import type { Peer } from '../peer.ts'
import type { AppHandlers, SessionContext, SessionPart } from './part.ts'

/** The time after an acknowledgement in which an empty list is provisional. */
interface ProvisionalPeriod {
  /** In milliseconds of the monotonic clock. */
  readonly endsAt: number
  /** Applies the empty list that `peer` sent. */
  timer?: Timer
  peer?: Peer | undefined
}

/**
 * Applies the subscription lists that apps send. Right after an acknowledgement the app SDK may send an empty list
 * before the app registered its handlers, so in that period an empty list replaces a full one only if no other list
 * follows until its end (app-socket.md §5.1, SUB-10).
 */
export class SubscriptionUpdates implements SessionPart {
  static readonly appHandlers: AppHandlers<SubscriptionUpdates> = {
    subscription_update: (part, { subscriptions }, from) => part.#update(from, subscriptions),
  }

  readonly #context: SessionContext
  readonly #periods = new LazyMap<string, ProvisionalPeriod>()
  /** The last list of each app, rejected entries included. */
  readonly #lists = new LazyMap<string, readonly SubscriptionEntry[]>()

  constructor(context: SessionContext) {
    this.#context = context
  }

  onAppConnected(session: AppSession, peer: Peer): void {
    const { packageName } = session
    const { clock, timing } = this.#context
    const previous = this.#periods.get(packageName)
    const sentEmptyList = previous?.timer !== undefined && previous.peer === peer
    this.#endPeriod(packageName)
    const period = { endsAt: clock.monotonicNow() + timing.emptySubscriptionsGraceMs }
    this.#periods.set(packageName, period)
    // The socket may have sent its empty list right before it was acknowledged.
    if (sentEmptyList) this.#scheduleEmptyList(session, period)
  }

  onAppReset(packageName: string): void {
    this.#endPeriod(packageName)
    this.#lists.delete(packageName)
    this.#context.subscriptions.remove(packageName)
    this.#changed()
  }

  /** Applies the app's last list again, with its changed permissions (PRM-20). */
  onAppUpdated(session: AppSession): void {
    const list = this.#lists.get(session.packageName)
    if (list) this.#apply(session, list)
  }

  #update(session: AppSession, entries: readonly SubscriptionEntry[]): void {
    const { clock, subscriptions } = this.#context
    const period = this.#periods.get(session.packageName)
    period?.timer?.cancel()
    delete period?.timer
    const isProvisional = period !== undefined && clock.monotonicNow() < period.endsAt
    if (isProvisional && entries.length === 0 && subscriptions.get(session.packageName).length > 0) {
      this.#scheduleEmptyList(session, period)
    } else this.#apply(session, entries)
  }

  #scheduleEmptyList(session: AppSession, period: ProvisionalPeriod): void {
    const { clock } = this.#context
    period.peer = session.peer
    period.timer = clock.after(period.endsAt - clock.monotonicNow(), () => {
      delete period.timer
      this.#apply(session, [])
    })
  }

  #apply(session: AppSession, entries: readonly SubscriptionEntry[]): void {
    const { packageName, sessionId, definition } = session
    this.#lists.set(packageName, entries)
    const rejected = this.#context.subscriptions.replace(packageName, entries, definition?.permissions ?? [])
    if (rejected.length > 0) {
      const [first] = rejected
      this.#context.log('permission_denied', { packageName, message: first?.message ?? '' })
      session.peer?.send({
        type: 'permission_error',
        message: 'Some subscriptions require a permission that the app does not declare',
        details: rejected,
        sessionId,
        timestamp: this.#context.timestamp(),
      } satisfies CloudToApp)
    }
    this.#changed(session)
  }

  #changed(session?: AppSession): void {
    this.#context.forEachPart((part) => part.onSubscriptionsChanged?.(session))
  }

  #endPeriod(packageName: string): void {
    this.#periods.get(packageName)?.timer?.cancel()
    this.#periods.delete(packageName)
  }
}
