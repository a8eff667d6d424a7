import { type Static, Type } from 'typebox'
import { cutText } from '../text.ts'

const field = Type.Optional(Type.Unknown())

/** Schema of a calendar entry. Phones use different names for the same field. */
export const calendarEntry = Type.Object(
  {
    id: field,
    eventId: field,
    title: field,
    startDate: field,
    start: field,
    dtStart: field,
    start_time: field,
    endDate: field,
    end: field,
    dtEnd: field,
    end_time: field,
    timeZone: field,
    timezone: field,
  },
  {
    title: 'CalendarEntry',
    description: 'Entries without an id, a title and a valid start are ignored.',
  },
)

/** Phones report the coming week; the cloud keeps one hundred events (CALE-5). */
const MAX_REPORTED_EVENTS = 1_000

/** Schema of the body of `POST /api/client/calendar`. */
export const calendarReport = Type.Object(
  {
    events: Type.Array(calendarEntry, { maxItems: MAX_REPORTED_EVENTS }),
    calendars: Type.Optional(Type.Unknown({ description: 'Accepted but not stored' })),
  },
  { title: 'CalendarReport' },
)

/** A calendar entry as sent by a phone. */
export type CalendarEntry = Static<typeof calendarEntry>

/** A calendar event in the form that the cloud and apps use. */
export interface CalendarEvent {
  readonly eventId: string
  readonly title: string
  /** ISO 8601. */
  readonly dtStart: string
  /** ISO 8601; equals the start if the phone sends no end. */
  readonly dtEnd: string
  readonly timezone: string
}

/** In characters. Longer ids are rejected, longer titles and time zones are truncated. */
const MAX_LENGTHS = { id: 500, title: 1_000, timezone: 100 }

/**
 * Parses a calendar entry with any of the known field names (glasses-socket.md §3.4).
 * @returns undefined if the id, the title or a valid start is missing
 */
export function parseCalendarEntry(entry: CalendarEntry): CalendarEvent | undefined {
  const eventId = toText(entry.id) ?? toText(entry.eventId)
  const title = toText(entry.title)
  const dtStart = findFirstTime(entry.startDate, entry.start, entry.dtStart, entry.start_time)
  if (!eventId || eventId.length > MAX_LENGTHS.id || !title || dtStart === undefined) return undefined
  return {
    eventId,
    title: cutText(title, MAX_LENGTHS.title),
    dtStart,
    dtEnd: findFirstTime(entry.endDate, entry.end, entry.dtEnd, entry.end_time) ?? dtStart,
    timezone: (toText(entry.timeZone) ?? toText(entry.timezone) ?? 'UTC').slice(0, MAX_LENGTHS.timezone),
  }
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns the first value that is a valid time, as ISO 8601. */
function findFirstTime(...values: unknown[]): string | undefined {
  for (const value of values) {
    const at = new Date(toEpochMs(value))
    if (!Number.isNaN(at.getTime())) return at.toISOString()
  }
  return undefined
}

/** Converts a number, a string of digits or a date to epoch milliseconds; NaN if invalid. */
function toEpochMs(value: unknown): number {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return Number.NaN
  if (/^-?\d{9,}$/.test(value)) return Number(value)
  // A time without an offset is UTC, regardless of the time zone of the machine.
  const lacksOffset = /^\d{4}-\d{2}-\d{2}T[\d:.]+$/.test(value)
  return Date.parse(lacksOffset ? `${value}Z` : value)
}
