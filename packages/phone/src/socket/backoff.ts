/** Exponential backoff between connection attempts. */
export interface BackoffPolicy {
  /** Delay before the first retry. */
  readonly firstMs: number
  /** Upper limit of the delay. */
  readonly maxMs: number
  /** Growth of the delay per attempt. */
  readonly factor: number
  /** Random share of each delay, 0 to 1, so that many clients do not reconnect simultaneously. */
  readonly jitter: number
}

/** 0.5 s, doubling up to 30 s, with up to half of each delay subtracted at random. */
export const DEFAULT_BACKOFF: BackoffPolicy = { firstMs: 500, maxMs: 30_000, factor: 2, jitter: 0.5 }

/**
 * Delay before retry number `attempt` (from 0), in whole milliseconds.
 * @param random in [0, 1)
 */
export function backoffDelay(policy: BackoffPolicy, attempt: number, random: number): number {
  const full = Math.min(policy.maxMs, policy.firstMs * policy.factor ** attempt)
  return Math.round(full * (1 - policy.jitter * random))
}
