import type { TranscriptRange } from '../../session/index.ts'

/** Query parameters that select a part of the history. */
export interface RangeQuery {
  /** Seconds to look back. */
  readonly duration?: number | undefined
  /** ISO 8601. */
  readonly startTime?: string | undefined
  /** ISO 8601. */
  readonly endTime?: string | undefined
}

/** A range, or the problem with the query; the problem is undefined if the query contains no complete range. */
export type ParsedRange =
  | { readonly ok: true; readonly range: TranscriptRange }
  | { readonly ok: false; readonly problem: string | undefined }

/**
 * Parses the query (decision M3). `duration` takes precedence; a range requires both ends.
 * @param now epoch ms
 */
export function parseRange({ duration, startTime, endTime }: RangeQuery, now: number): ParsedRange {
  if (duration !== undefined)
    return { ok: true, range: { from: Math.max(0, now - duration * 1_000), to: now } }
  if (startTime === undefined || endTime === undefined) return { ok: false, problem: undefined }
  const from = parseInstant(startTime)
  const to = parseInstant(endTime)
  if (from === undefined) return { ok: false, problem: `startTime ${INVALID_TIME}` }
  if (to === undefined) return { ok: false, problem: `endTime ${INVALID_TIME}` }
  if (from > to) return { ok: false, problem: 'startTime must not be after endTime' }
  return { ok: true, range: { from, to } }
}

const INVALID_TIME = 'must be an ISO 8601 time like 2025-01-31T18:30:00Z'

const ISO_8601 = /^(\d{4}-(\d\d)-(\d\d))(?:T\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/i

/** Parses an ISO 8601 time as epoch ms; a time without a zone is in UTC. */
function parseInstant(text: string): number | undefined {
  const [whole, date = '', month, day, zone] = ISO_8601.exec(text.trim()) ?? []
  if (whole === undefined) return undefined
  const midnight = new Date(`${date}T00:00:00Z`)
  // Date turns the 31st of a shorter month into the 1st of the next one.
  if (midnight.getUTCMonth() + 1 !== Number(month) || midnight.getUTCDate() !== Number(day)) return undefined
  const timed = whole.length > date.length ? whole : `${whole}T00:00`
  const instant = Date.parse((zone === undefined ? `${timed}Z` : timed).replace(',', '.').toUpperCase())
  return Number.isNaN(instant) ? undefined : instant
}
