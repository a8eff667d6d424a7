import { instantAt, readTimeZone } from './time-zone.ts'

/** A time as it was reported: an instant, or a date and time of some time zone. */
export interface ReportedTime {
  /** Epoch milliseconds; of a date and time as if it were UTC. */
  readonly ms: number
  readonly isWallTime: boolean
  /** The time zone that the report itself names. */
  readonly timeZone?: string
}

const ISO_8601 =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(?:(Z|UTC|GMT)|([+-])(\d{2}):?(\d{2})?)?(?:\[([^\]]+)\])?$/i

/** Times in words, as in `Mon, 05 Oct 2026 09:00:00 GMT`; all-number forms depend on the country. */
const WORDS = /[a-z]{3}.*\b\d{4}\b/i
const NAMED_ZONE = /\b(?:Z|UTC?|GMT|[PMCE][SD]T)\b|\d\s*[+-]\d{2}:?\d{2}\b/i

/** Largest distance of a `Date` from 1970. */
const MAX_TIME_MS = 8.64e15

/** When Swift begins to count seconds, in seconds. */
const SWIFT_EPOCH = 978_307_200

/**
 * Reads a time in the forms that phones and calendars use: ISO 8601 with or without an offset, a date, epoch seconds to
 * nanoseconds as a number or text, and times in English words. Never depends on the time zone of the machine.
 * @returns undefined if it is no time
 */
export function readTime(value: unknown): ReportedTime | undefined {
  const time =
    typeof value === 'number'
      ? fromEpoch(value)
      : typeof value === 'string'
        ? fromText(value.trim())
        : undefined
  return time !== undefined && Math.abs(time.ms) <= MAX_TIME_MS - 2 * 86_400_000 ? time : undefined
}

/** Returns the instant of a time in epoch milliseconds. @param timeZone of a time that names none; UTC by default */
export function instantOf({ ms, isWallTime, timeZone }: ReportedTime, otherZone = 'UTC'): number {
  return isWallTime ? instantAt(ms, timeZone ?? otherZone) : ms
}

/** Reads a count since 1970, whose size tells its unit; smaller counts of seconds are those of Swift, since 2001. */
function fromEpoch(count: number): ReportedTime {
  const size = Math.abs(count)
  const inMs = (ms: number): ReportedTime => ({ ms: Math.round(ms), isWallTime: false })
  if (size >= 1e17) return inMs(count / 1e6)
  if (size >= 1e14) return inMs(count / 1e3)
  if (size >= 1e11) return inMs(count)
  return inMs((size < 1.2e9 ? count + SWIFT_EPOCH : count) * 1_000)
}

function fromText(text: string): ReportedTime | undefined {
  const iso = ISO_8601.exec(text)
  if (iso) return fromIso(iso)
  if (/^[+-]?\d{9,}(\.\d+)?$/.test(text)) return fromEpoch(Number(text))
  if (!WORDS.test(text) || text.length > 100) return undefined
  const plain = text.replace(/\bat\b/i, ' ').replace(/\s+/g, ' ')
  const isWallTime = !NAMED_ZONE.test(plain)
  const ms = Date.parse(isWallTime ? `${plain} UTC` : plain)
  return Number.isNaN(ms) ? undefined : { ms, isWallTime }
}

function fromIso(match: RegExpExecArray): ReportedTime | undefined {
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = ''] = match
  const [utc, sign, offsetHours = '0', offsetMinutes = '0', zoneName] = match.slice(8)
  const date = Date.parse(`${year}-${month}-${day}T00:00:00Z`)
  const ms = Date.parse(
    `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`,
  )
  // Date turns the 31st of a shorter month into the 1st of the next one.
  if (Number.isNaN(ms) || new Date(date).getUTCDate() !== Number(day)) return undefined
  const timeZone = readTimeZone(zoneName)
  const named = timeZone === undefined ? {} : { timeZone }
  if (utc === undefined && sign === undefined) return { ms, isWallTime: true, ...named }
  if (Number(offsetHours) >= 24 || Number(offsetMinutes) >= 60) return undefined
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000
  return { ms: sign === '-' ? ms + offset : ms - offset, isWallTime: false, ...named }
}
