import type { CloudToApp } from '@glasses-cloud/contract'
import type { AppSession } from '../apps/app-session.ts'
import type { Peer } from '../peer.ts'
import type { SessionContext, SessionFeature } from './feature.ts'
import { SubscriptionTracker } from './subscription-tracker.ts'

/**
 * The date and time of the phone, for apps that show it. It goes to every app, because the app SDK does not say who
 * listens to it (app socket protocol, 5.1-1).
 */
export class DateTime implements SessionFeature {
  readonly #context: SessionContext
  readonly #subscriptions: SubscriptionTracker
  #datetime: string | undefined

  constructor(context: SessionContext) {
    this.#context = context
    this.#subscriptions = new SubscriptionTracker(context.subscriptions, ['custom_message'])
  }

  /** The phone says what time it is. */
  report(datetime: string): void {
    this.#datetime = datetime
    this.#context.sendToApps(() => this.#message(datetime))
  }

  onAppConnected({ packageName }: AppSession, peer: Peer): void {
    this.#subscriptions.reset(packageName)
    this.#tell(peer)
  }

  onSubscriptionsChanged(session?: AppSession): void {
    if (session && this.#subscriptions.takeNew(session).length > 0) this.#tell(session.peer)
  }

  #tell(peer: Peer | undefined): void {
    if (this.#datetime !== undefined) peer?.send(this.#message(this.#datetime))
  }

  #message(datetime: string): CloudToApp {
    return {
      type: 'custom_message',
      action: 'update_datetime',
      payload: { datetime, section: 'topLeft' },
      timestamp: this.#context.timestamp(),
    }
  }
}
