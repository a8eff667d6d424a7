import { sumWidths } from '../pages/break-lines.ts'
import { drawnText } from '../pages/clean-text.ts'

/**
 * Widths of the glyphs of printable ASCII, from the space to the tilde (MentraOS, G1
 * profile of its package display-utils, measured on hardware). A glyph takes (width + 1) · 2 pixels.
 */
const ASCII_WIDTHS = [
  '21265671223414135355555555114445',
  '76555445523547555555556766523243',
  '2544444441241744443435575543137',
].join('')

/** Width of the characters of scripts that are drawn evenly, and of all others, in pixels (same source). */
const KOREAN = 24
const EAST_ASIAN_OR_CYRILLIC = 18
const OTHER = 16

/** Width of a text in one line on the lens of an Even G1, in pixels of 576. */
export function measureText(text: string): number {
  return sumWidths(drawnText(text), characterWidth)
}

function characterWidth(character: string): number {
  const glyph = ASCII_WIDTHS[(character.codePointAt(0) ?? 0) - 0x20]
  if (glyph !== undefined) return (Number(glyph) + 1) * 2
  if (/\p{Script=Hangul}/u.test(character)) return KOREAN
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Cyrillic}]/u.test(character))
    return EAST_ASIAN_OR_CYRILLIC
  // Marks are drawn over the letter before them.
  return /[\p{Mn}\p{Me}]/u.test(character) ? 0 : OTHER
}
