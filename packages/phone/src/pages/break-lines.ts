import { splitGraphemes } from 'unicode-segmenter/grapheme'

/** Width of a text in one line. */
type Measure = (text: string) => number

/** Bounds lines of characters without a width. */
const MAX_LINE_LENGTH = 256

/** Scripts that are written without spaces, and break between any two characters. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Closing punctuation and prolonged sounds, which do not start a line. */
const NOT_AT_START = /^[\p{Pe}\p{Pf}\p{Po}ー々]/u

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
  if (fits(paragraph.trimEnd())) return [paragraph.trimEnd()]
  const lines: string[] = []
  let line = ''
  /** Sum of the widths of its parts: to measure the line again for each part would take seconds for a long text. */
  let lineWidth = 0
  const endLine = () => {
    if (line.trimEnd() !== '') lines.push(line.trimEnd())
    line = ''
    lineWidth = 0
  }
  const add = (part: string) => {
    const partWidth = measure(part)
    const isWithin = lineWidth + partWidth <= width && line.length + part.length <= MAX_LINE_LENGTH
    // Spaces at the end of the line do not count.
    if (!isWithin && !fits((line + part).trimEnd())) endLine()
    line += part
    lineWidth += partWidth
  }
  for (const part of unbrokenParts(paragraph)) {
    if (fits(part.trimEnd())) add(part)
    else {
      endLine()
      for (const cluster of splitGraphemes(part)) for (const piece of pieces(cluster, fits)) add(piece)
    }
  }
  endLine()
  return lines
}

/** The parts between which a line may be broken, each with the spaces that follow it. */
function unbrokenParts(paragraph: string): string[] {
  const parts: string[] = []
  let part = ''
  let previous = ''
  for (const cluster of splitGraphemes(paragraph)) {
    const isUnspaced = UNSPACED.test(cluster) || UNSPACED.test(previous)
    const mayBreak = isSpace(previous) || (isUnspaced && !NOT_AT_START.test(cluster))
    if (part !== '' && mayBreak && !isSpace(cluster)) {
      parts.push(part)
      part = ''
    }
    part += cluster
    previous = cluster
  }
  return [...parts, part]
}

function pieces(cluster: string, fits: (line: string) => boolean): string[] {
  if (fits(cluster)) return [cluster]
  return isSpace(cluster) ? [] : [...cluster].filter(fits)
}

/** Whether a cluster is a space at which a line may be broken; a no-break space is not. */
function isSpace(cluster: string): boolean {
  return cluster === ' ' || cluster === '\u3000'
}

/** Width of a text in one line without kerning. @param widthOf the width of a character */
export function sumWidths(text: string, widthOf: (character: string) => number): number {
  let width = 0
  for (const character of text) width += widthOf(character)
  return width
}
