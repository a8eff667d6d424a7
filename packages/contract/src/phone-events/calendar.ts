import { type Static, type TOptional, type TUnknown, Type } from 'typebox'
import { cutText } from '../text.ts'
import { anyPart, readAs } from '../tolerant-reader.ts'
import { instantOf, readTime } from './reported-time.ts'
import { readTimeZone, wallTimeAt } from './time-zone.ts'

/** The names that phones and calendars use for a field, the preferred one first. */
const NAMES = {
  id: ['id', 'eventId', 'eventIdentifier', 'calendarItemIdentifier', 'event_id', '_id'],
  title: ['title', 'summary', 'subject'],
  start: ['startDate', 'start', 'dtStart', 'start_time', 'begin', 'dtstart'],
  end: ['endDate', 'end', 'dtEnd', 'end_time', 'dtend'],
  timeZone: ['timeZone', 'timezone', 'eventTimezone'],
  allDay: ['allDay', 'isAllDay'],
} as const

type FieldName = (typeof NAMES)[keyof typeof NAMES][number]

const fields = Object.fromEntries(
  Object.values(NAMES)
    .flat()
    .map((name) => [name, Type.Optional(Type.Unknown())]),
) as Record<FieldName, TOptional<TUnknown>>

/** Schema of a calendar entry. Phones use different names for the same field. */
export const calendarEntry = Type.Object(fields, {
  title: 'CalendarEntry',
  description: 'Entries without an id and a start that can be read are ignored.',
})

/** Phones report the coming week; the cloud keeps one hundred events (CALE-5). */
const MAX_REPORTED_EVENTS = 1_000

/** Schema of the body of `POST /api/client/calendar`. */
export const calendarReport = Type.Object(
  {
    // Entries that cannot be read are named by their index.
    events: Type.Array(Type.Union([calendarEntry, Type.Unknown()]), { maxItems: MAX_REPORTED_EVENTS }),
    calendars: Type.Optional(Type.Unknown({ description: 'Accepted but not stored' })),
  },
  { title: 'CalendarReport', ...anyPart },
)

/** A calendar entry as sent by a phone. */
export type CalendarEntry = Static<typeof calendarEntry>

/** A calendar event in the form that the cloud and apps use. */
export interface CalendarEvent {
  readonly eventId: string
  /** May be empty. */
  readonly title: string
  /** ISO 8601 in UTC. */
  readonly dtStart: string
  /** ISO 8601 in UTC; equals the start if the phone sends no end. */
  readonly dtEnd: string
  /** A name that `Intl` accepts. */
  readonly timezone: string
}

/** What an entry contains. */
export interface CalendarReading {
  /** Undefined without an id and a start that can be read. */
  readonly event: CalendarEvent | undefined
  /** The fields that cannot be read; also missing ones that an event needs. */
  readonly unreadable: readonly string[]
}

/** In characters. Longer ids are rejected, longer titles are truncated. */
const MAX_LENGTHS = { id: 500, title: 1_000 }

const DAY_MS = 86_400_000

/** Reads a calendar entry in any of the known forms (glasses-socket.md §3.4). */
export function readCalendarEntry(entry: CalendarEntry): CalendarReading {
  const unreadable: string[] = []
  const find = <Value>(
    field: keyof typeof NAMES,
    read: (value: unknown) => Value | undefined,
    isNeeded = false,
  ): Value | undefined => {
    const present = NAMES[field].filter((name) => !isAbsent(entry[name]))
    for (const name of present) {
      const value = read(entry[name])
      if (value !== undefined) return value
    }
    const [name = isNeeded ? NAMES[field][0] : undefined] = present
    if (name !== undefined) unreadable.push(name)
    return undefined
  }
  const zone = find('timeZone', readTimeZone)
  const isAllDay = find('allDay', (value) => readAs('boolean', value)) === true
  const readInstant = (value: unknown) => readEventTime(value, zone, isAllDay)
  const eventId = find('id', toId, true)
  const title = find('title', toText) ?? ''
  const start = find('start', readInstant, true)
  const end = find('end', readInstant) ?? start
  if (eventId === undefined || start === undefined || end === undefined)
    return { event: undefined, unreadable }
  const event = {
    eventId,
    title: cutText(title, MAX_LENGTHS.title),
    dtStart: new Date(start.at).toISOString(),
    dtEnd: new Date(end.at).toISOString(),
    timezone: start.timeZone ?? 'UTC',
  }
  return { event, unreadable }
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function toText(value: unknown): string | undefined {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : undefined
}

function toId(value: unknown): string | undefined {
  const text = toText(value)
  return text !== undefined && text.length <= MAX_LENGTHS.id ? text : undefined
}

/** Reads the start or the end of an event. Google and Microsoft send objects, with a time zone of their own. */
function readEventTime(
  value: unknown,
  zone: string | undefined,
  isAllDay: boolean,
): { readonly at: number; readonly timeZone: string | undefined } | undefined {
  if (typeof value === 'object' && value !== null) {
    const { dateTime, date, timeZone } = value as Readonly<Record<string, unknown>>
    const inner = isAbsent(dateTime) ? date : dateTime
    return typeof inner === 'object'
      ? undefined
      : readEventTime(inner, readTimeZone(timeZone) ?? zone, isAllDay)
  }
  const time = readTime(value)
  if (time === undefined) return undefined
  const timeZone = time.timeZone ?? zone
  // Android reports all-day events from midnight to midnight in UTC, wherever they are.
  const isDateInUtc =
    isAllDay &&
    time.ms % DAY_MS === 0 &&
    timeZone !== undefined &&
    wallTimeAt(time.ms, timeZone) % DAY_MS !== 0
  const at = instantOf(isDateInUtc ? { ...time, isWallTime: true } : time, timeZone)
  return { at, timeZone }
}
