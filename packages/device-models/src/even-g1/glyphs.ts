/** Width of the display in pixels (MentraOS, G1 profile of its package display-utils). */
export const LENS_WIDTH = 576
/** Height of the display in pixels (EvenDemoApp, README: pictures of 576×136). */
export const LENS_HEIGHT = 136
/** Lines of a page of text (EvenDemoApp, README). */
export const LENS_LINES = 5

/**
 * Printable ASCII by the width of the glyph, which is drawn with (width + 1) · 2 pixels
 * (MentraOS, G1 profile of its package display-utils).
 */
const BY_GLYPH_WIDTH: readonly (readonly [width: number, characters: string])[] = [
  [1, "!',.:;il|"],
  [2, ' "()I[]`j'],
  [3, '*/1J\\_rt{}'],
  [4, '+-<=>EFL^bcdefghknopqsz'],
  [5, '$023456789?BCDGHKNOPQRSTUZauvxy'],
  [6, '#%AVXY'],
  [7, '&@MWmw~'],
]

const ASCII = new Map(
  BY_GLYPH_WIDTH.flatMap(([width, characters]) =>
    [...characters].map((character): [string, number] => [character, (width + 1) * 2]),
  ),
)

/**
 * Width of a character in pixels: of its script if all characters of the script are equally wide. Marks are drawn over the letter
 * before them; the invisible characters of Unicode have no glyph and leave a gap.
 */
export function glyphPixels(character: string): number {
  const ascii = ASCII.get(character)
  if (ascii !== undefined) return ascii
  if (/\p{Script=Hangul}/u.test(character)) return 24
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Cyrillic}]/u.test(character)) return 18
  if (/[\p{Mn}\p{Me}]/u.test(character) && !/\p{Default_Ignorable_Code_Point}/u.test(character)) return 0
  return 16
}
