import { withoutInvisible } from '@glasses-cloud/contract'
import stripAnsi from 'strip-ansi'

/** Characters other than line breaks that a terminal interprets, and halves of characters, which a lens cannot draw. */
const UNDRAWABLE = /(?!\n)[\p{Cc}\p{Cs}]/gu

/**
 * Removes control characters and escape sequences except line breaks, so that apps cannot control a terminal, and composes
 * letters with their marks: macOS writes syllables of Korean as two or three characters, which fonts of glasses lack.
 */
export function cleanText(text: string): string {
  return stripAnsi(text)
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(/\t/g, '  ')
    .replace(UNDRAWABLE, '')
    .normalize('NFC')
}

/**
 * What a font of glasses draws of a text: letters composed with their marks, and no characters that take no room, such as
 * joiners, for each of which it would leave a gap.
 */
export function drawnText(text: string): string {
  return withoutInvisible(text.normalize('NFC'))
}
