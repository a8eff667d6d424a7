import type { AdminSession } from '../../api/administration.ts'

/**
 * Appends loaded sessions to the live ones, which are the first of all. Both are in the order of user ids. Loaded
 * sessions within the range of the live ones are dropped: they are live as well, or have ended.
 */
export function mergeSessions(
  live: readonly AdminSession[],
  loaded: readonly AdminSession[],
): readonly AdminSession[] {
  const last = live.at(-1)?.userId
  return last === undefined ? [] : [...live, ...loaded.filter(({ userId }) => userId > last)]
}
