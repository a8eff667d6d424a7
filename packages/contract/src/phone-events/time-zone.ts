import { findIana } from 'windows-iana'

const DAY_MS = 86_400_000

/** Formats of time zones in use; creating one takes longer than using it a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>()
const MAX_FORMATS = 200

/**
 * Reads the name of a time zone: of the IANA (`Europe/Berlin`), of Windows (`W. Europe Standard Time`), an offset
 * (`GMT+2`), or an object with an `identifier`, as Swift encodes time zones.
 * @returns a name that `Intl` accepts; undefined for any other value
 */
export function readTimeZone(value: unknown): string | undefined {
  if (typeof value === 'object' && value !== null && 'identifier' in value)
    return readTimeZone(value.identifier)
  if (typeof value !== 'string' || value.length > 100) return undefined
  // iOS describes a time zone as `Europe/Berlin (fixed)`; in iCalendar its name may follow that of a registry.
  const name = value
    .replace(/\s*\(.*$/, '')
    .replace(/^\/.*\/(?=[^/]+\/[^/]+$)/, '')
    .trim()
  const [, sign, hours = '', minutes = '00'] = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$/i.exec(name) ?? []
  const offset = sign === undefined ? name : `${sign}${hours.padStart(2, '0')}:${minutes}`
  return canonicalZone(offset) ?? findIana(name)[0]
}

/** Returns the name to use for a time zone; that of a link such as `GMT` is not known everywhere. */
function canonicalZone(name: string): string | undefined {
  try {
    const { timeZone } = formatOf(name).resolvedOptions()
    return name.includes('/') ? name : timeZone
  } catch {
    return undefined
  }
}

/** Returns the date and time in a time zone at an instant, as if it were UTC; both in epoch milliseconds. */
export function wallTimeAt(instant: number, timeZone: string): number {
  return instant + offsetAt(instant, timeZone)
}

/**
 * Returns the instant at which it is a date and time in a time zone. When clocks are set back it is the first of two; a time
 * that clocks skip counts from before they were set.
 * @param wallTime as {@link wallTimeAt} returns it
 */
export function instantAt(wallTime: number, timeZone: string): number {
  const before = wallTime - offsetAt(wallTime - DAY_MS, timeZone)
  const after = wallTime - offsetAt(wallTime + DAY_MS, timeZone)
  const isAfter = before !== after && wallTimeAt(before, timeZone) !== wallTime
  return isAfter && wallTimeAt(after, timeZone) === wallTime ? after : before
}

/** How far the clocks of a time zone are ahead of UTC, in milliseconds. */
function offsetAt(instant: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0
  const text = formatOf(timeZone).format(instant)
  const [, sign, ...digits] = /GMT([+-])(\d{2}):(\d{2})(?::(\d{2}))?$/.exec(text) ?? []
  const [hours = 0, minutes = 0, seconds = 0] = digits.map((each) => Number(each ?? 0))
  const offsetMs = ((hours * 60 + minutes) * 60 + seconds) * 1_000
  return sign === '-' ? -offsetMs : offsetMs
}

/** @throws RangeError for an unknown time zone */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    if (formats.size >= MAX_FORMATS) formats.clear()
    formats.set(timeZone, format)
  }
  return format
}
