export const DAY_MS = 24 * 60 * 60_000

/** Days since 1970-01-01, UTC. @param at epoch ms */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS)
}
