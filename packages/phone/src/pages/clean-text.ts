import stripAnsi from 'strip-ansi'

/** Characters that a terminal interprets, and a lens cannot draw. */
const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029]/gu

/** Removes control characters and escape sequences except line breaks, so that apps cannot control a terminal. */
export function cleanText(text: string): string {
  return stripAnsi(text)
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, '  ')
    .replace(CONTROL_CHARACTERS, (character) => (character === '\n' ? '\n' : ''))
}
