/** How long to wait before trying to connect again. */
export interface BackoffPolicy {
  /** Wait before the first retry, in milliseconds. */
  readonly firstMs: number
  /** No wait is longer than this, in milliseconds. */
  readonly maxMs: number
  /** Each wait is this many times the one before. */
  readonly factor: number
  /** Share of a wait that is left to chance, 0 to 1, so that a thousand phones do not return in the same instant. */
  readonly jitter: number
}

/** Half a second, doubling up to half a minute, half of each wait left to chance. */
export const DEFAULT_BACKOFF: BackoffPolicy = { firstMs: 500, maxMs: 30_000, factor: 2, jitter: 0.5 }

/**
 * The wait before retry number `attempt` (the first is 0), in whole milliseconds.
 * @param random a number from 0 up to 1
 */
export function backoffDelay(policy: BackoffPolicy, attempt: number, random: number): number {
  const full = Math.min(policy.maxMs, policy.firstMs * policy.factor ** attempt)
  return Math.round(full * (1 - policy.jitter * random))
}
