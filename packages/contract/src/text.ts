import { splitGraphemes } from 'unicode-segmenter/grapheme'

/**
 * Characters that take no room of their own: joiners, variation selectors, marks of direction, soft hyphens, zero-width
 * spaces and byte order marks.
 */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

/** Removes the characters that take no room of their own. */
export function withoutInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, '')
}

/** Returns the first character of a text that takes room, with its marks; empty if there is none. */
export function firstCharacter(text: string): string {
  for (const cluster of splitGraphemes(text)) if (withoutInvisible(cluster).trim() !== '') return cluster
  return ''
}

/** Vowel points of Hebrew and Arabic, which may be left out, and the stroke that lengthens Arabic words. */
const OPTIONAL_MARKS =
  /[\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u0640\u064B-\u0652\u0670]/g

/** Returns a form of a text for comparisons, in which equal words are equal, whatever their case, form and points. */
export function foldText(text: string): string {
  // The upper case has one form of letters such as ß and ς. Of a dotted İ the lower case has a mark.
  const folded = text.normalize('NFKC').toLowerCase().replaceAll('i\u0307', 'i').toUpperCase()
  return withoutInvisible(folded).replaceAll(OPTIONAL_MARKS, '').normalize('NFC')
}

/**
 * Cuts a text to a number of UTF-16 code units, but not within what is read as one character, such as an emoji or a letter
 * with its marks.
 */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  let end = 0
  // Whether a character ends at the limit is known by the next one.
  for (const cluster of splitGraphemes(text.slice(0, maxLength + 2))) {
    if (end + cluster.length > maxLength) break
    end += cluster.length
  }
  return end > 0 ? text.slice(0, end) : text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')
}
