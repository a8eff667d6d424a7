import stringWidth from 'string-width'
import stripAnsi from 'strip-ansi'
import wrapAnsi from 'wrap-ansi'

/** Characters that a terminal interprets instead of printing. */
const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029]/gu

/** Removes control characters and escape sequences except line breaks, so that apps cannot control the terminal. */
export function sanitize(text: string): string {
  return stripAnsi(text)
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, '  ')
    .replace(CONTROL_CHARACTERS, (character) => (character === '\n' ? '\n' : ''))
}

/** Wraps text at `width` columns, between words where possible. */
export function wrap(text: string, width: number): string[] {
  return wrapAnsi(text, width, { hard: true })
    .split('\n')
    .map((line) => line.trimEnd())
}

/** Pads a line with spaces to `width` columns; wide characters count as two. */
export function pad(line: string, width: number): string {
  return line + ' '.repeat(Math.max(0, width - stringWidth(line)))
}
