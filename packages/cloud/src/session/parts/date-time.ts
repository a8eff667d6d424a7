import type { CloudToApp } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import type { AppSession } from '../apps/app-session.ts'
import { command } from '../command.ts'
import type { Peer } from '../peer.ts'
import { type SessionContext, type SessionPart, SubscriptionTracker } from './part.ts'

/** The streams whose new subscribers receive the last value. */
const STREAMS = ['custom_message'] as const

/**
 * The date and time of the phone. It is sent to every app, because the app SDK does not subscribe to it
 * (app-socket.md §5.1).
 */
export class DateTime implements SessionPart {
  static readonly commands = {
    /** Stores the phone's date and time, and sends it to all apps. */
    reportDateTime: command([Type.String()], Type.Void(), (dateTime: DateTime, datetime) =>
      dateTime.report(datetime),
    ),
  }

  readonly #context: SessionContext
  readonly #subscriptions: SubscriptionTracker
  #datetime: string | undefined

  constructor(context: SessionContext) {
    this.#context = context
    this.#subscriptions = new SubscriptionTracker(context.subscriptions, STREAMS)
  }

  report(datetime: string): void {
    this.#datetime = datetime
    this.#context.sendToApps(() => this.#message(datetime))
  }

  onAppConnected({ packageName }: AppSession, peer: Peer): void {
    this.#subscriptions.reset(packageName)
    this.#send(peer)
  }

  onSubscriptionsChanged(session?: AppSession): void {
    if (session && this.#subscriptions.takeNew(session).length > 0) this.#send(session.peer)
  }

  #send(peer: Peer | undefined): void {
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
