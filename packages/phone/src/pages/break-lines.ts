/** Measures the width of a text in one line. */
export type Measure = (text: string) => number

/** Scripts that are written without spaces, and may be broken between any two characters. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\u3000-\u303f\uff00-\uff60]/u

/**
 * A character as its reader sees it: a flag, a keycap, a sequence of joined emoji, or a letter with its marks. A small
 * pattern, because not every engine that the phone runs in has `Intl.Segmenter`.
 */
const CHARACTER =
  /\r\n|\p{RI}\p{RI}|[0-9#*]\uFE0F?\u20E3|\p{Extended_Pictographic}(?:[\p{M}\p{EMod}]|\u200D\p{Extended_Pictographic})*|\P{M}?\p{M}+|./gsu

/** Splits a text into characters that must not be torn apart. */
function charactersOf(text: string): string[] {
  return text.match(CHARACTER) ?? []
}

/**
 * Breaks a text into lines that are at most `width` wide: at its own line breaks, between words, between any two
 * characters of scripts without spaces, and inside words that are longer than a line.
 * @returns at least one line, without spaces at its ends; a character that is wider than a line has its own
 */
export function breakLines(text: string, width: number, measure: Measure): string[] {
  return text.split('\n').flatMap((paragraph) => breakParagraph(paragraph.trim(), width, measure))
}

function breakParagraph(paragraph: string, width: number, measure: Measure): string[] {
  const lines: string[] = []
  let line = ''
  for (const part of partsOf(paragraph)) {
    if (measure((line + part).trimEnd()) <= width) {
      line += part
      continue
    }
    if (line.trimEnd() !== '') lines.push(line.trimEnd())
    const pieces = measure(part) <= width ? [part] : cutWord(part, width, measure)
    lines.push(...pieces.slice(0, -1))
    line = pieces.at(-1)?.trimStart() ?? ''
  }
  return [...lines, line.trimEnd()]
}

/** The parts between which a line may be broken: words, spaces, and single characters of scripts without spaces. */
function partsOf(paragraph: string): string[] {
  const parts: string[] = []
  let word = ''
  const endWord = () => {
    if (word !== '') parts.push(word)
    word = ''
  }
  for (const character of charactersOf(paragraph)) {
    const isAlone = character === ' ' || UNSPACED.test(character)
    if (isAlone) endWord()
    if (isAlone) parts.push(character)
    else word += character
  }
  endWord()
  return parts
}

/** Cuts a word into pieces that fit, of at least one character each. */
function cutWord(word: string, width: number, measure: Measure): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const character of charactersOf(word)) {
    if (piece !== '' && measure(piece + character) > width) {
      pieces.push(piece)
      piece = ''
    }
    piece += character
  }
  return [...pieces, piece]
}
