import type { Screen, TextPage } from '../../src/adapter/glasses-adapter.ts'

/** Width of a text in a font with narrow, wide and combining glyphs, in pixels. */
function measure(text: string): number {
  let width = 0
  for (const character of text) width += glyphWidth(character)
  return width
}

function glyphWidth(character: string): number {
  if (/\p{M}/u.test(character)) return 0
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}]/u.test(character))
    return 18
  return 'ilj .,'.includes(character) ? 6 : 10
}

/** A display of 5 lines of 200 pixels, as a font with proportional glyphs fills it. */
export const PIXEL_SCREEN: Screen = { lines: 5, width: 200, measure }

/** The only page of a text. */
export function textPage(...lines: string[]): TextPage {
  return { kind: 'text', lines, number: 1, total: 1 }
}
