import { splitGraphemes } from 'unicode-segmenter/grapheme'

/** Width of a text in one line. */
type Measure = (text: string) => number

/** Bounds lines of characters without a width. */
const MAX_LINE_LENGTH = 256

/** Scripts that are written without spaces, and break between any two characters. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Scripts that are written without spaces, and break between words. */
const UNSPACED_WORDS = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Closing punctuation, prolonged sounds and marks of repetition, which do not start a line. */
const NOT_AT_START = /^[\p{Pe}\p{Pf}\p{Po}ー々ๆໆ]/u

/** Where a word may be broken, invisible: at a zero-width space, and with a hyphen at a soft one. */
const ZERO_WIDTH_SPACE = '\u200B'
const SOFT_HYPHEN = '\u00AD'

/**
 * Breaks a text into lines that fit a width: at line breaks, between words, and between characters of scripts without
 * spaces. Words longer than a line start a line and are broken between grapheme clusters, and clusters wider than a line between code
 * points; code points wider than a line are omitted.
 */
export function breakLines(text: string, width: number, measure: Measure): string[] {
  const fits = (line: string) => line.length <= MAX_LINE_LENGTH && measure(line) <= width
  return text.split('\n').flatMap((paragraph) => breakParagraph(paragraph, { width, measure, fits }))
}

interface LineMeasure {
  readonly width: number
  readonly measure: Measure
  readonly fits: (line: string) => boolean
}

function breakParagraph(paragraph: string, { width, measure, fits }: LineMeasure): string[] {
  const whole = unhyphenated(paragraph.trimEnd())
  if (fits(whole)) return [whole]
  const lines: string[] = []
  let line = ''
  /** Sum of the widths of its parts: to measure the line again for each part would take seconds for a long text. */
  let lineWidth = 0
  const endLine = (drawn: string) => {
    if (drawn !== '') lines.push(drawn)
    line = ''
    lineWidth = 0
  }
  const add = (part: string) => {
    const partWidth = measure(brokenAfter(part))
    const isWithin = lineWidth + partWidth <= width && line.length + part.length <= MAX_LINE_LENGTH
    // Spaces at the end of the line do not count.
    if (!isWithin && !fits(brokenAfter(line + part).trimEnd())) endLine(brokenAfter(line).trimEnd())
    line += part
    lineWidth += partWidth
  }
  for (const part of unbrokenParts(paragraph)) {
    if (fits(brokenAfter(part).trimEnd())) add(part)
    else {
      endLine(brokenAfter(line).trimEnd())
      for (const cluster of splitGraphemes(part)) for (const piece of pieces(cluster, fits)) add(piece)
    }
  }
  endLine(unhyphenated(line.trimEnd()))
  return lines
}

/** A part of a text as it is drawn if a line ends after it. */
function brokenAfter(text: string): string {
  return text.endsWith(SOFT_HYPHEN) ? `${unhyphenated(text)}-` : unhyphenated(text)
}

function unhyphenated(text: string): string {
  return text.replaceAll(SOFT_HYPHEN, '')
}

/** The parts between which a line may be broken, each with the spaces that follow it. */
function unbrokenParts(paragraph: string): string[] {
  const parts: string[] = []
  const wordStarts = wordStartsOf(paragraph)
  let part = ''
  let previous = ''
  let index = 0
  for (const cluster of splitGraphemes(paragraph)) {
    const isUnspaced = UNSPACED.test(cluster) || UNSPACED.test(previous) || wordStarts.has(index)
    const mayBreak = isBreak(previous) || (isUnspaced && !NOT_AT_START.test(cluster))
    if (part !== '' && mayBreak && !isSpace(cluster)) {
      parts.push(part)
      part = ''
    }
    part += cluster
    previous = cluster
    index += cluster.length
  }
  return [...parts, part]
}

/**
 * Where words of scripts without spaces start, if the engine has a dictionary of them: otherwise a phrase is broken as a word longer
 * than a line is.
 */
function wordStartsOf(paragraph: string): ReadonlySet<number> {
  if (!UNSPACED_WORDS.test(paragraph) || !globalThis.Intl?.Segmenter) return new Set()
  const words = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(paragraph)
  return new Set([...words].filter(({ segment }) => UNSPACED_WORDS.test(segment)).map(({ index }) => index))
}

function pieces(cluster: string, fits: (line: string) => boolean): string[] {
  if (fits(cluster)) return [cluster]
  return isSpace(cluster) ? [] : [...cluster].filter(fits)
}

/** Whether a line may be broken after a cluster. */
function isBreak(cluster: string): boolean {
  return isSpace(cluster) || cluster === ZERO_WIDTH_SPACE || cluster === SOFT_HYPHEN
}

/** Whether a cluster is a space at which a line may be broken; a no-break space is not. */
function isSpace(cluster: string): boolean {
  return /^(?![\u00A0\u2007\u202F])\p{Zs}/u.test(cluster)
}

/** Width of a text in one line without kerning. @param widthOf the width of a character */
export function sumWidths(text: string, widthOf: (character: string) => number): number {
  let width = 0
  for (const character of text) width += widthOf(character)
  return width
}
