import type { Display } from './display.ts'

/** What to look for on a lens: a text, a pattern, or anything one can ask. */
export type DisplayMatch = string | RegExp | ((lens: Display) => boolean)

/** Whether the lens shows it. Where a line breaks is no matter for texts and patterns. */
export function displayMatches(lens: Display, match: DisplayMatch): boolean {
  if (typeof match === 'function') return match(lens)
  const unwrapped = lens.lines.join(' ').replace(/\s+/g, ' ').trim()
  return typeof match === 'string' ? unwrapped.includes(match) : unwrapped.search(match) >= 0
}
