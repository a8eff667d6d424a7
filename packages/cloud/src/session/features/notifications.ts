import type { NotificationDismissal, PhoneNotification } from '@glasses-cloud/contract'
import { resolvePhoneTime } from '../phone-time.ts'
import type { GlassesHandlers, SessionContext } from './feature.ts'

/** What of a notification goes into the word that it is gone. */
type NotificationSummary = Pick<PhoneNotification, 'app' | 'title' | 'content'>

/** Notifications remembered until they are dismissed. */
const MAX_REMEMBERED = 100

/**
 * The phone's notifications, for the apps that may read them. Phones say little of one that is dismissed; what it was
 * is remembered for that, and for nothing else. Nothing of it is logged or stored.
 */
export class Notifications {
  readonly #context: SessionContext
  readonly #remembered = new Map<string, NotificationSummary>()
  static readonly glassesHandlers: GlassesHandlers<Notifications> = {
    phone_notification: (feature, message) => feature.notify(message),
    phone_notification_dismissed: (feature, message) => feature.dismissed(message),
  }

  constructor(context: SessionContext) {
    this.#context = context
  }

  /** A notification came up on the phone. */
  notify(notification: PhoneNotification): void {
    const { notificationId, app, title, content, priority, timestamp, packageName } = notification
    this.#remember(notificationId, { app, title, content })
    this.#context.publish(
      'phone_notification',
      {},
      {
        type: 'phone_notification',
        notificationId,
        app,
        title,
        content,
        priority: priority === 'low' || priority === 'high' ? priority : 'normal',
        timestamp: resolvePhoneTime(timestamp, this.#context.clock.now()),
        ...(packageName ? { packageName } : {}),
      },
    )
  }

  /** A notification is gone from the phone. */
  dismissed({ notificationId, notificationKey, packageName }: NotificationDismissal): void {
    const { clock, publish } = this.#context
    const { app = packageName ?? '', title = '', content = '' } = this.#remembered.get(notificationId) ?? {}
    this.#remembered.delete(notificationId)
    publish(
      'phone_notification_dismissed',
      {},
      {
        type: 'phone_notification_dismissed',
        notificationId,
        notificationKey: notificationKey ?? '',
        ...(packageName ? { packageName } : {}),
        app,
        title,
        content,
        timestamp: clock.now(),
      },
    )
  }

  #remember(notificationId: string, notification: NotificationSummary): void {
    this.#remembered.delete(notificationId)
    this.#remembered.set(notificationId, notification)
    const [oldest] = this.#remembered.keys()
    if (this.#remembered.size > MAX_REMEMBERED && oldest !== undefined) this.#remembered.delete(oldest)
  }
}
