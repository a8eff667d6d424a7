import type { Display } from './display.ts'

/** Expected content of a display: a substring, a pattern or a predicate. */
export type DisplayMatch = string | RegExp | ((display: Display) => boolean)

/** Whether the display matches. Line breaks count as spaces for substrings and patterns. */
export function displayMatches(display: Display, match: DisplayMatch): boolean {
  if (typeof match === 'function') return match(display)
  const unwrapped = display.lines.join(' ').replace(/\s+/g, ' ').trim()
  return typeof match === 'string' ? unwrapped.includes(match) : unwrapped.search(match) >= 0
}
