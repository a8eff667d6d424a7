import { type Static, Type } from 'typebox'

const field = Type.Optional(Type.Unknown())

/** Schema of an entry of a phone's calendar. Which of the names it uses depends on the phone. */
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
    description: 'An entry without an id, a title and a start that can be read is passed over.',
  },
)

/** Schema of the body of `POST /api/client/calendar`. */
export const calendarReport = Type.Object(
  {
    events: Type.Array(calendarEntry),
    calendars: Type.Optional(Type.Unknown({ description: 'Accepted and not kept' })),
  },
  { title: 'CalendarReport' },
)

/** An entry of a phone's calendar as the phone writes it. */
export type CalendarEntry = Static<typeof calendarEntry>

/** An event of the wearer's calendar, in the one form used inside and towards apps. */
export interface CalendarEvent {
  readonly eventId: string
  readonly title: string
  /** ISO 8601. */
  readonly dtStart: string
  /** ISO 8601; the start where the phone names no end. */
  readonly dtEnd: string
  readonly timezone: string
}

/** Longest id and longest title kept, in characters. */
const MAX_LENGTHS = { id: 500, title: 1_000, timezone: 100 }

/**
 * Reads an entry, whatever names it uses (glasses socket protocol, 3.4).
 * @returns undefined if it has no id, no title, or no start that can be read
 */
export function parseCalendarEntry(entry: CalendarEntry): CalendarEvent | undefined {
  const eventId = toText(entry.id) ?? toText(entry.eventId)
  const title = toText(entry.title)
  const dtStart = findFirstTime(entry.startDate, entry.start, entry.dtStart, entry.start_time)
  if (!eventId || eventId.length > MAX_LENGTHS.id || !title || dtStart === undefined) return undefined
  return {
    eventId,
    title: title.slice(0, MAX_LENGTHS.title),
    dtStart,
    dtEnd: findFirstTime(entry.endDate, entry.end, entry.dtEnd, entry.end_time) ?? dtStart,
    timezone: (toText(entry.timeZone) ?? toText(entry.timezone) ?? 'UTC').slice(0, MAX_LENGTHS.timezone),
  }
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The first of the values that is a moment, as ISO 8601. */
function findFirstTime(...values: unknown[]): string | undefined {
  for (const value of values) {
    const at = new Date(toEpochMs(value))
    if (!Number.isNaN(at.getTime())) return at.toISOString()
  }
  return undefined
}

/** Epoch milliseconds of a moment written as a number, as digits or as a date; NaN if it is none. */
function toEpochMs(value: unknown): number {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return Number.NaN
  if (/^-?\d{9,}$/.test(value)) return Number(value)
  // Without an offset the time is read as UTC, not as that of the machine that happens to read it.
  const bare = /^\d{4}-\d{2}-\d{2}T[\d:.]+$/.test(value)
  return Date.parse(bare ? `${value}Z` : value)
}
