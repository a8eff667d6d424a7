/** Older timestamps are invalid: some phones cut them to 32 bits (glasses-socket.md §7). */
const MIN_PHONE_TIME_MS = Date.UTC(2020)

/** How far the clock of a phone may be ahead of the server. */
const MAX_PHONE_SKEW_MS = 60_000

/**
 * Returns the timestamp of a phone in epoch milliseconds, or `now` if it is missing or invalid.
 * @param timestamp epoch milliseconds, or text that `Date.parse` accepts
 */
export function resolvePhoneTime(timestamp: unknown, now: number): number {
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : timestamp
  return typeof time === 'number' && time >= MIN_PHONE_TIME_MS && time <= now + MAX_PHONE_SKEW_MS ? time : now
}
