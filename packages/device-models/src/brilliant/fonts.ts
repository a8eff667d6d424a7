/** How the glasses draw a character. */
export interface Glyph {
  readonly width: number
  /** Pixels from its left to that of the next. */
  readonly advance: number
}

/** The characters of Frame by the width of their glyphs (frame-codebase, `graphical_assets/system_font.h`). */
const FRAME_GLYPHS: readonly (readonly [width: number, characters: string])[] = [
  [5, "!'i|ı"],
  [6, '.:¡·'],
  [8, ',;l'],
  [9, '['],
  [10, '(]ł'],
  [11, ')`jrÍìí'],
  [12, 'I{}Ì'],
  [13, ' "c'],
  [14, '?Jt¢¿ç'],
  [15, '357\\fs°Ïïš'],
  [16, '12CLezÇÉÎéîñûƒ'],
  [17, '$-69EFSZu~«µ»ÈÊËèêëõùúüŠž'],
  [18, '048BGPbdhknopq£×ÞðòóôöøþŽ€'],
  [19, '#+<=>DHKNUavÑÙÚÛÜßàáâãäå÷Ł'],
  [20, '&ORT^gxy±ÒÓÔÕÖØýÿ'],
  [21, '*VX'],
  [22, 'AQ¥ÀÐÝŸ'],
  [23, 'MWYÁÂÃÄÅ'],
  [25, '_'],
  [28, 'm©'],
  [29, '®æ'],
  [30, 'wŒœ'],
  [31, '@'],
  [32, 'Æ'],
  [34, '%'],
]

const FRAME = new Map(
  FRAME_GLYPHS.flatMap(([width, characters]) =>
    [...characters].map((character): [string, Glyph] => [character, { width, advance: width + 4 }]),
  ),
)

/** Height of the glyphs of Frame (same source). */
export const FRAME_GLYPH_HEIGHT = 48

/** A glyph of Frame with the standard spacing of 4 pixels; undefined for a character that it leaves out. */
export function frameGlyph(character: string): Glyph | undefined {
  return FRAME.get(character)
}

/** A glyph of Halo's font, 8 pixels times the scale, of printable ASCII (halo-firmware, `Fonts/dogica/Dogica8px.h`). */
export function haloGlyph(character: string, scale: number): Glyph | undefined {
  const code = character.codePointAt(0) ?? 0
  return code >= 0x20 && code <= 0x7e ? { width: 7 * scale, advance: 8 * scale } : undefined
}
