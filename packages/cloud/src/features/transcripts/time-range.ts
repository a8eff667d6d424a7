import type { TranscriptRange } from '../../session/index.ts'

/** Which part of the history a request names, in its own words. */
export interface RangeWords {
  /** Seconds to look back. */
  readonly duration?: number | undefined
  /** ISO 8601. */
  readonly startTime?: string | undefined
  /** ISO 8601. */
  readonly endTime?: string | undefined
}

/** The range meant, or why there is none: nothing was said, or what was said makes no sense. */
export type RangeReading =
  | { readonly ok: true; readonly range: TranscriptRange }
  | { readonly ok: false; readonly problem: string | undefined }

/**
 * Reads which part of the history is meant (decision M3). A duration wins over a range; a range needs both ends.
 * @param now epoch ms
 */
export function readRange({ duration, startTime, endTime }: RangeWords, now: number): RangeReading {
  if (duration !== undefined) return { ok: true, range: { from: now - duration * 1_000, to: now } }
  if (startTime === undefined && endTime === undefined) return { ok: false, problem: undefined }
  if (startTime === undefined || endTime === undefined)
    return { ok: false, problem: 'startTime and endTime must be given together' }
  const from = instantOf(startTime)
  const to = instantOf(endTime)
  if (from === undefined) return { ok: false, problem: `startTime ${notATime}` }
  if (to === undefined) return { ok: false, problem: `endTime ${notATime}` }
  if (from > to) return { ok: false, problem: 'startTime must not be after endTime' }
  return { ok: true, range: { from, to } }
}

const notATime = 'must be an ISO 8601 time like 2025-01-31T18:30:00Z'

const iso8601 = /^(\d{4}-(\d\d)-(\d\d))(?:T\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/i

/** Epoch ms of an ISO 8601 time. One that names no zone is in UTC, as every time of the interface is. */
function instantOf(text: string): number | undefined {
  const [whole, date = '', month, day, zone] = iso8601.exec(text.trim()) ?? []
  if (whole === undefined) return undefined
  const midnight = new Date(`${date}T00:00:00Z`)
  // The 31st of a shorter month is taken for the 1st of the next one.
  if (midnight.getUTCMonth() + 1 !== Number(month) || midnight.getUTCDate() !== Number(day)) return undefined
  const timed = whole.length > date.length ? whole : `${whole}T00:00`
  const instant = Date.parse((zone === undefined ? `${timed}Z` : timed).replace(',', '.').toUpperCase())
  return Number.isNaN(instant) ? undefined : instant
}
