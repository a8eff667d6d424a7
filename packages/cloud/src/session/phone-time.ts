/** Before there were such phones: what is older is no time, but a number cut off (gotcha 35). */
const EARLIEST = Date.UTC(2020)

/** How far ahead of ours a phone's clock may be, in milliseconds. */
const AHEAD = 60_000

/**
 * When something happened, epoch milliseconds: as the phone says it where that can be, else now. Some phones cut their
 * timestamps to 32 bits, others write text.
 */
export function resolvePhoneTime(said: unknown, now: number): number {
  const at = typeof said === 'string' ? Date.parse(said) : said
  return typeof at === 'number' && at >= EARLIEST && at <= now + AHEAD ? at : now
}
