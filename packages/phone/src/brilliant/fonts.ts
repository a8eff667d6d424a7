import { splitGraphemes } from 'unicode-segmenter/grapheme'
import { sumWidths } from '../pages/break-lines.ts'

/** A font of glasses that skip the characters without a glyph. */
export interface Font {
  /** Pixels from a character to the next; undefined without a glyph. */
  advance(character: string): number | undefined
}

/**
 * Widths of the glyphs of Frame in pixels, as digits of base 36; 0 is a character without a glyph, such as the slash
 * (frame-codebase, `graphical_assets/system_font.h`). All are 48 pixels high.
 */
const FRAME_ASCII = [
  'd5djhyk5ablj8h60iggfifhfih68jjje',
  'vmigjhhijcejgnjkimkhkjlnlnh9fakp',
  'bjidigfki5bi8siiiibfehjukkgc5ch',
].join('')
const FRAME_LATIN = 'mnnnnnwghghhcbgfmjkkkkkikjjjjmijjjjjjjtehghhbbgfigiiihijihhghkik'
const FRAME_OTHERS = '¡¢£¥©«®°±µ·»¿ıŁłŒœŠšŸŽžƒ€'
const FRAME_OTHER_WIDTHS = '6eimshtfkh6he5jauuhfmihgi'
/** Pixels between two glyphs, unless a program asks for others (Brilliant docs, `frame.display.text`). */
const FRAME_SPACING = 4

/** The font of Frame, with glyphs of several widths. */
export const FRAME_FONT: Font = {
  advance(character) {
    const code = character.codePointAt(0) ?? 0
    const other = FRAME_OTHERS.indexOf(character)
    const digit = FRAME_ASCII[code - 0x20] ?? FRAME_LATIN[code - 0xc0] ?? FRAME_OTHER_WIDTHS[other]
    return digit === undefined || digit === '0' ? undefined : Number.parseInt(digit, 36) + FRAME_SPACING
  },
}

/** The font of Halo at twice its size: printable ASCII, equally wide (halo-firmware, `Fonts/dogica/Dogica8px.h`). */
export const HALO_FONT: Font = {
  advance: (character) => (/^[ -~]$/.test(character) ? 16 : undefined),
}

/** Characters without a decomposition that have a common spelling in others. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ...[...'‘’‚‛′`´'].map((character): [string, string] => [character, "'"]),
  ...[...'“”„‟″«»'].map((character): [string, string] => [character, '"']),
  ...[...'‐‑‒–—―−'].map((character): [string, string] => [character, '-']),
  ['/', '|'],
  ['•', '-'],
  ['€', 'EUR'],
  ['ß', 'ss'],
  ['ẞ', 'SS'],
  ['æ', 'ae'],
  ['Æ', 'AE'],
  ['œ', 'oe'],
  ['Œ', 'OE'],
  ['ø', 'o'],
  ['Ø', 'O'],
  ['ł', 'l'],
  ['Ł', 'L'],
  ['đ', 'd'],
  ['Đ', 'D'],
  ['ı', 'i'],
  ['¡', '!'],
  ['¿', '?'],
])

/**
 * Spells a text with the glyphs of a font: without its marks or in other characters where a glyph is missing, and with one
 * question mark for an emoji or a letter without such a spelling. Glasses would leave them out.
 */
export function spell(text: string, font: Font): string {
  let spelled = ''
  for (const cluster of splitGraphemes(text)) {
    // Marks and joiners change the character before them, and have no width.
    const characters = [...cluster].filter((character) => !/^[\p{M}\p{Cf}\p{DI}]$/u.test(character))
    const drawn = characters.map((character) => spellCharacter(character, font)).join('')
    spelled += drawn === '' && characters.length > 0 ? '?' : drawn
  }
  return spelled
}

/** Width of a text as the glasses draw it, in pixels. */
export function measure(text: string, font: Font): number {
  return sumWidths(spell(text, font), (character) => font.advance(character) ?? 0)
}

function spellCharacter(character: string, font: Font): string {
  if (font.advance(character) !== undefined) return character
  if (/^[\p{Cc}\p{Z}]$/u.test(character)) return ' '
  const simpler = [...(SPELLINGS.get(character) ?? character.normalize('NFKD'))]
  return simpler.filter((part) => font.advance(part) !== undefined).join('')
}
