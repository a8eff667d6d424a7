import { stripVTControlCharacters } from 'node:util'
import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'

/** Everything a terminal would act on instead of showing it; line breaks stay. */
const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029]/gu

/** Text that can do nothing but be read: apps may not steer the terminal the lens is drawn in. */
export function sanitize(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, '  ')
    .replace(CONTROL_CHARACTERS, (character) => (character === '\n' ? '\n' : ''))
}

/** Breaks text into lines of at most `width` columns, between words where it can. */
export function wrap(text: string, width: number): string[] {
  return wrapAnsi(text, width, { hard: true })
    .split('\n')
    .map((line) => line.trimEnd())
}

/** Fills a line with spaces to `width` columns, counting wide characters as two. */
export function pad(line: string, width: number): string {
  return line + ' '.repeat(Math.max(0, width - stringWidth(line)))
}
