import { type CalendarEntry, type CalendarEvent, isObject, readCalendarEntry } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import type { AppSession } from '../apps/app-session.ts'
import { command } from '../command.ts'
import { type GlassesHandlers, type SessionContext, type SessionPart, SubscriptionTracker } from './part.ts'

/** The streams whose new subscribers receive the last value. */
const STREAMS = ['calendar_event'] as const

/** `timeStamp` is when this version of the event was received. */
type ReceivedEvent = CalendarEvent & { readonly type: 'calendar_event'; readonly timeStamp: string }

/** Phones report the events of a week. */
const MAX_EVENTS = 100

/**
 * The user's calendar. Phones report all events every hour; new and changed ones are relayed (glasses-socket.md §7), and
 * an app that subscribes receives all of them.
 */
export class Calendar implements SessionPart {
  static readonly glassesHandlers: GlassesHandlers<Calendar> = {
    calendar_event: (part, message) => part.#reportSingle(message),
  }

  static readonly commands = {
    /** Stores calendar events that the phone reported, and relays the new and changed ones; see `report`. */
    reportCalendar: command(
      [Type.Array(Type.Unknown())],
      Type.Array(Type.String()),
      (calendar: Calendar, entries) => calendar.report(entries),
    ),
  }

  readonly #context: SessionContext
  readonly #subscriptions: SubscriptionTracker
  /** When each event was received, in milliseconds of the monotonic clock. */
  readonly #receivedAt = new WeakMap<ReceivedEvent, number>()
  /** Current and future events in order, then past ones, latest first. */
  #events: readonly ReceivedEvent[] = []

  constructor(context: SessionContext) {
    this.#context = context
    this.#subscriptions = new SubscriptionTracker(context.subscriptions, STREAMS)
  }

  /**
   * Stores events that the phone reported and relays the new and changed ones. Entries that are no events are ignored.
   * @returns what cannot be read, as paths such as `[2].endDate`
   */
  report(entries: readonly unknown[]): string[] {
    const { clock, publish, log, timestamp } = this.#context
    const events = new Map(this.#events.map((event) => [keyOf(event), event]))
    const changed = new Set<ReceivedEvent>()
    const unreadablePaths: string[] = []
    let invalidCount = 0
    for (const [index, entry] of entries.entries()) {
      const { event, unreadable } = isObject(entry) ? readCalendarEntry(entry) : NOT_AN_ENTRY
      unreadablePaths.push(...unreadable.map((name) => `[${index}]${name && `.${name}`}`))
      if (!event) invalidCount += 1
      else if (!isSame(events.get(keyOf(event)), event)) {
        const received: ReceivedEvent = { type: 'calendar_event', ...event, timeStamp: timestamp() }
        events.set(keyOf(event), received)
        changed.add(received)
        this.#receivedAt.set(received, clock.monotonicNow())
      }
    }
    if (invalidCount > 0) log('calendar_events_invalid', { count: invalidCount })
    this.#events = this.#sorted([...events.values()]).slice(0, MAX_EVENTS)
    for (const event of this.#events) if (changed.has(event)) publish('calendar_event', {}, event)
    return unreadablePaths
  }

  onAppConnected({ packageName }: AppSession): void {
    this.#subscriptions.reset(packageName)
  }

  onSubscriptionsChanged(session?: AppSession): void {
    if (!session) return
    const { sessionId } = session
    const since = session.permittedSince('CALENDAR')
    const mayReceive = (event: ReceivedEvent) => (this.#receivedAt.get(event) ?? 0) >= since
    const events = this.#sorted(this.#events).filter(mayReceive)
    for (const { raw } of this.#subscriptions.takeNew(session)) {
      for (const event of events) {
        const envelope = { sessionId, streamType: raw, timestamp: this.#context.timestamp() }
        session.sendStream(envelope, JSON.stringify(event))
      }
    }
  }

  /** Unlike a list over REST, a single invalid event is reported back on the socket. */
  #reportSingle(message: CalendarEntry): void {
    const { event, unreadable } = readCalendarEntry(message)
    if (event) return void this.report([event])
    this.#context.sendToGlasses({
      type: 'connection_error',
      code: 'MALFORMED_MESSAGE',
      message: `calendar_event requires an id and a start that can be read (missing: ${unreadable.join(', ')})`,
      timestamp: this.#context.timestamp(),
    })
  }

  #sorted(events: readonly ReceivedEvent[]): ReceivedEvent[] {
    const now = this.#context.timestamp()
    // ISO 8601 times in UTC compare as strings.
    const isPast = (event: ReceivedEvent) => event.dtEnd < now
    return [...events].sort((one, other) => {
      if (isPast(one) !== isPast(other)) return isPast(one) ? 1 : -1
      const earlier = one.dtStart < other.dtStart ? -1 : one.dtStart > other.dtStart ? 1 : 0
      return isPast(one) ? -earlier : earlier
    })
  }
}

const NOT_AN_ENTRY = { event: undefined, unreadable: [''] }

/** Occurrences of a recurring event share their id. */
function keyOf({ eventId, dtStart }: CalendarEvent): string {
  return `${dtStart} ${eventId}`
}

function isSame(stored: CalendarEvent | undefined, event: CalendarEvent): boolean {
  return stored?.title === event.title && stored.dtEnd === event.dtEnd && stored.timezone === event.timezone
}
