import { type CalendarEntry, type CalendarEvent, calendarEventOf } from '@glasses-cloud/contract'
import type { AppSession } from '../apps/app-session.ts'
import type { GlassesHandlers, SessionContext, SessionFeature } from './feature.ts'
import { SubscriptionTracker } from './subscription-tracker.ts'

/** An event, and when the cloud heard of it as it is. */
type ReceivedEvent = CalendarEvent & { readonly type: 'calendar_event'; readonly timeStamp: string }

/** Events kept; phones report a week. */
const MAX_EVENTS = 100

/**
 * The wearer's calendar, as far as the phone reports it. Phones report all of it every hour; apps are told of what is
 * new or has changed (gotcha 42), and an app that comes to listen of all of it.
 */
export class Calendar implements SessionFeature {
  readonly #context: SessionContext
  readonly #subscriptions: SubscriptionTracker
  /** What is going on or to come first, in its order; then what is past, the latest first. */
  #events: readonly ReceivedEvent[] = []
  static readonly glassesHandlers: GlassesHandlers<Calendar> = {
    calendar_event: (feature, message) => feature.#single(message),
  }

  constructor(context: SessionContext) {
    this.#context = context
    this.#subscriptions = new SubscriptionTracker(context.subscriptions, ['calendar_event'])
  }

  /** The phone reports entries of its calendar; those that cannot be read are passed over. */
  report(entries: readonly CalendarEntry[]): void {
    const { publish, log, timestamp } = this.#context
    const events = new Map(this.#events.map((event) => [keyOf(event), event]))
    const news = new Set<ReceivedEvent>()
    let unreadable = 0
    for (const entry of entries) {
      const event = calendarEventOf(entry)
      if (!event) unreadable += 1
      else if (!isSame(events.get(keyOf(event)), event)) {
        const heard: ReceivedEvent = { type: 'calendar_event', ...event, timeStamp: timestamp() }
        events.set(keyOf(event), heard)
        news.add(heard)
      }
    }
    if (unreadable > 0) log('calendar_events_unreadable', { count: unreadable })
    this.#events = this.#ranked([...events.values()]).slice(0, MAX_EVENTS)
    for (const event of this.#events) if (news.has(event)) publish('calendar_event', {}, event)
  }

  onAppConnected({ packageName }: AppSession): void {
    this.#subscriptions.reset(packageName)
  }

  onSubscriptionsChanged(session?: AppSession): void {
    if (!session) return
    const { sessionId } = session
    for (const { raw } of this.#subscriptions.takeNew(session)) {
      for (const event of this.#ranked(this.#events)) {
        const envelope = { sessionId, streamType: raw, timestamp: this.#context.timestamp() }
        session.sendStream(envelope, JSON.stringify(event))
      }
    }
  }

  /** A socket can be told at once that its only event makes no sense. */
  #single(message: CalendarEntry): void {
    if (calendarEventOf(message)) return this.report([message])
    this.#context.sendToGlasses({
      type: 'connection_error',
      code: 'MALFORMED_MESSAGE',
      message: 'calendar_event: needs an eventId, a title, and a dtStart that is a date',
      timestamp: this.#context.timestamp(),
    })
  }

  #ranked(events: readonly ReceivedEvent[]): ReceivedEvent[] {
    const now = this.#context.timestamp()
    // Times of one form sort as text.
    const isPast = (event: ReceivedEvent) => event.dtEnd < now
    return [...events].sort((one, other) => {
      if (isPast(one) !== isPast(other)) return isPast(one) ? 1 : -1
      const earlier = one.dtStart < other.dtStart ? -1 : one.dtStart > other.dtStart ? 1 : 0
      return isPast(one) ? -earlier : earlier
    })
  }
}

/** An event that repeats has one id and many starts. */
function keyOf({ eventId, dtStart }: CalendarEvent): string {
  return `${dtStart} ${eventId}`
}

function isSame(known: CalendarEvent | undefined, event: CalendarEvent): boolean {
  return known?.title === event.title && known.dtEnd === event.dtEnd && known.timezone === event.timezone
}
