import { sumWidths } from '../pages/sum-widths.ts'

/** Widths in pixels, one digit of base 36 per character, measured on the lens of the maker's simulator 0.9.5. */
const ASCII =
  '546ecef4668a5a55c7bccccccc45aaachdcbcaacc58c9gcccccbacdgddc757a94bbaba7bb5594gbabb7a6bbfbb9848g'
const CYRILLIC = 'dddafchceedegdedddcdgddcghfgddhdccc9cbdbccacecbbcbbbdbccefdecbeb'

const FIRST_ASCII = 0x20
const FIRST_CYRILLIC = 0x410

const HANGUL = 18
/** Letters with a mark are as wide as the letter; of narrow ones a line could have more bytes than fit a container. */
const NARROWEST_WITH_MARK = 9
const OTHER_LATIN = 17
/** The glyphs of Chinese and Japanese, and the widest of all others that were measured. */
const WIDE = 20
const BEYOND_THE_FIRST_PLANE = 24

/** Width of a text in one line on the lens of an Even G2, in pixels of 576, without kerning. */
export function measureText(text: string): number {
  return sumWidths(text, characterWidth)
}

function characterWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0
  const digit = ASCII[code - FIRST_ASCII] ?? CYRILLIC[code - FIRST_CYRILLIC]
  if (digit !== undefined) return Number.parseInt(digit, 36)
  if (code > 0xffff) return BEYOND_THE_FIRST_PLANE
  if (/\p{Script=Hangul}/u.test(character)) return HANGUL
  return /\p{Script=Latin}/u.test(character) ? latinWidth(character) : WIDE
}

function latinWidth(character: string): number {
  const letter = character.normalize('NFD').codePointAt(0) ?? 0
  const digit = ASCII[letter - FIRST_ASCII]
  return digit === undefined ? OTHER_LATIN : Math.max(NARROWEST_WITH_MARK, Number.parseInt(digit, 36))
}
