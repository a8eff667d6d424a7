/**
 * Returns the first English language of the browser, such as `en-GB`: the texts are English, and dates and numbers are
 * written as in its region.
 * @param languages of the browser, in order of preference; some have names of locales of the system, such as `en-US@posix`
 */
export function findRegion(languages: readonly string[]): string {
  return languages.find((language) => /^en(-|$)/i.test(language) && isLanguage(language)) ?? 'en'
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}

const LANGUAGE = findRegion(navigator.languages)

const times = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeStyle: 'short' })
const dates = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeZone: 'UTC' })
const clockTimes = new Intl.DateTimeFormat(LANGUAGE, { timeStyle: 'medium', hourCycle: 'h23' })
const minutes = new Intl.DateTimeFormat(LANGUAGE, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const numbers = new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: 1 })

const list = new Intl.ListFormat(LANGUAGE, { type: 'conjunction' })
const languages = new Intl.DisplayNames(LANGUAGE, { type: 'language' })
const plurals = new Intl.PluralRules(LANGUAGE)

const BYTE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB']

/** Formats a time in the time zone of the browser. @param time ISO 8601 */
export function formatTime(time: string): string {
  return times.format(new Date(time))
}

/** Formats a day of the calendar. @param date ISO 8601, such as `2026-03-01` */
export function formatDate(date: string): string {
  return dates.format(new Date(date))
}

/** Formats a number with separators, and at most one digit after the point. */
export function formatNumber(value: number): string {
  return numbers.format(value)
}

/** Formats a size, such as `1.4 MB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1024)), BYTE_UNITS.length - 1)
  return `${numbers.format(bytes / 1024 ** power)} ${BYTE_UNITS[power]}`
}

/** Formats the time of day in the time zone of the browser, such as `14:05`. @param at epoch ms */
export function formatMinute(at: number): string {
  return minutes.format(at)
}

/** Formats a short duration, such as `250 ms`. */
export function formatMs(ms: number): string {
  return `${Math.round(ms)} ms`
}

/** Formats a duration with its two largest units, such as `2 d 3 h`. */
export function formatDuration(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [Math.floor(seconds) % 60, 's'],
  ] as const
  const first = parts.findIndex(([count]) => count > 0)
  const shown = first === -1 ? parts.slice(-1) : parts.slice(first, first + 2)
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ')
}

/** Formats the time of day with milliseconds. @param at epoch ms */
export function formatClock(at: number): string {
  return `${clockTimes.format(at)}.${String(at % 1_000).padStart(3, '0')}`
}

/** Joins the parts of an enumeration, such as `camera, display, and button`. */
export function formatList(parts: readonly string[]): string {
  return list.format(parts)
}

/** Names languages, such as `German and English`. @param codes such as `de` */
export function formatLanguages(codes: readonly string[]): string {
  return formatList(codes.map((code) => languages.of(code) ?? code))
}

/** The forms of a text in English. */
export interface PluralForms {
  readonly one: string
  readonly other: string
}

/**
 * Returns the form for a count: `plural(count, { one: 'Delete this photo?', other: `Delete ${count} photos?` })`.
 */
export function plural(count: number, { one, other }: PluralForms): string {
  return plurals.select(count) === 'one' ? one : other
}
