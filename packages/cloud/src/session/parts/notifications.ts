import {
  dismissalReport,
  type NotificationDismissal,
  notificationReport,
  type PhoneNotification,
} from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { command } from '../command.ts'
import { LazyMap } from '../lazy-collections.ts'
import { resolvePhoneTime } from '../timing.ts'
import type { GlassesHandlers, SessionContext } from './part.ts'

/** The fields of a notification that its dismissal repeats. */
type NotificationSummary = Pick<PhoneNotification, 'app' | 'title' | 'content'> & {
  /** In milliseconds of the monotonic clock. */
  readonly receivedAt: number
}

const MAX_SUMMARIES = 100

/**
 * Relays the phone's notifications and their dismissals. Phones omit most fields from a dismissal, so the cloud adds
 * them from memory. Notifications are never logged or stored.
 */
export class Notifications {
  static readonly glassesHandlers: GlassesHandlers<Notifications> = {
    phone_notification: (part, message) => part.notify(message),
    phone_notification_dismissed: (part, message) => part.dismiss(message),
  }

  static readonly commands = {
    /** Relays a notification of the phone. */
    notify: command([notificationReport], Type.Void(), (notifications: Notifications, notification) =>
      notifications.notify(notification),
    ),
    /** Relays that the user dismissed a notification. */
    notificationDismissed: command(
      [dismissalReport],
      Type.Void(),
      (notifications: Notifications, dismissal) => notifications.dismiss(dismissal),
    ),
  }

  readonly #context: SessionContext
  /** By notification id, oldest first. */
  readonly #summaries = new LazyMap<string, NotificationSummary>()

  constructor(context: SessionContext) {
    this.#context = context
  }

  notify(notification: PhoneNotification): void {
    const { notificationId, title, content, priority, timestamp, packageName } = notification
    const app = notification.app || packageName || ''
    this.#addSummary(notificationId, { app, title, content, receivedAt: this.#context.clock.monotonicNow() })
    this.#context.publish(
      'phone_notification',
      {},
      {
        type: 'phone_notification',
        notificationId,
        app,
        title,
        content,
        priority: toPriority(priority),
        timestamp: resolvePhoneTime(timestamp, this.#context.clock.now()),
        ...(packageName ? { packageName } : {}),
      },
    )
  }

  dismiss({ notificationId, notificationKey, packageName }: NotificationDismissal): void {
    const { clock, publish } = this.#context
    const summary = this.#summaries.get(notificationId)
    const { app = packageName ?? '', title = '', content = '' } = summary ?? {}
    this.#summaries.delete(notificationId)
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
      undefined,
      summary?.receivedAt,
    )
  }

  #addSummary(notificationId: string, notification: NotificationSummary): void {
    this.#summaries.delete(notificationId)
    this.#summaries.set(notificationId, notification)
    const [oldest] = this.#summaries.keys()
    if (this.#summaries.size > MAX_SUMMARIES && oldest !== undefined) this.#summaries.delete(oldest)
  }
}

/** Reads a word, or a priority of Android: below 0 is low, above 0 high. */
function toPriority(reported: PhoneNotification['priority'] = 'normal'): 'low' | 'normal' | 'high' {
  const text = String(reported).trim()
  if (/^low$/i.test(text) || Number(text) < 0) return 'low'
  return /^high$/i.test(text) || Number(text) > 0 ? 'high' : 'normal'
}
