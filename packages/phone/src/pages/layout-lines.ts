import type { Layout } from '@glasses-cloud/contract'
import type { Screen } from '../adapter/page.ts'
import { breakLines } from './break-lines.ts'
import { cleanText } from './clean-text.ts'

/** Characters of a text that are laid out: some hundred pages. The rest is cut off, as laying it out takes too long. */
const MAX_TEXT_LENGTH = 20_000

/** The layouts that phones draw, each with its required text fields; phones ignore other layouts. */
const TEXT_FIELDS: Record<string, readonly string[]> = {
  text_wall: ['text'],
  double_text_wall: ['topText', 'bottomText'],
  reference_card: ['title', 'text'],
  bitmap_view: ['data'],
  clear_view: [],
}

/** Parses a layout as phones do; `undefined` for an unsupported layout or a missing text field. */
export function readLayout(value: unknown): Layout | undefined {
  if (typeof value !== 'object' || value === null || !('layoutType' in value)) return undefined
  if (typeof value.layoutType !== 'string' || !Object.hasOwn(TEXT_FIELDS, value.layoutType)) return undefined
  const fields = value as Record<string, unknown>
  const isComplete = TEXT_FIELDS[value.layoutType]?.every((name) => typeof fields[name] === 'string')
  return isComplete ? (value as Layout) : undefined
}

/**
 * Lays a layout out as lines that fit the width of a screen, without empty lines at the end.
 * @param fill replaces the placeholders in a text
 */
export function layoutLines(layout: Layout, screen: Screen, fill: (text: string) => string): string[] {
  const lines = linesOf(layout, screen, (text) => cleanText(fill(text.slice(0, MAX_TEXT_LENGTH))))
  while (lines.at(-1) === '') lines.pop()
  return lines
}

function linesOf(layout: Layout, screen: Screen, clean: (text: string) => string): string[] {
  const lines = (text: string) => breakLines(clean(text), screen.width, screen.measure)
  switch (layout.layoutType) {
    case 'text_wall':
      return lines(layout.text)
    case 'double_text_wall':
      return sideBySide(clean(layout.topText), clean(layout.bottomText), screen)
    case 'reference_card':
      return [...lines(layout.title), '', ...lines(layout.text)]
    case 'bitmap_view':
      return [`[picture, ${decodedLength(layout.data)} bytes]`]
    default:
      return []
  }
}

/** Number of bytes that Base64 text encodes. */
function decodedLength(base64: string): number {
  return Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
}

/**
 * Glasses draw a double text wall side by side: `topText` on the left, `bottomText` on the right. The columns are aligned by
 * spaces, as devices have no tab stops.
 */
function sideBySide(left: string, right: string, { width, measure }: Screen): string[] {
  const space = measure(' ')
  const gap = 2 * space
  const columnWidth = Math.floor((width - gap) / 2)
  const leftLines = breakLines(left, columnWidth, measure)
  const rightLines = breakLines(right, columnWidth, measure)
  return Array.from({ length: Math.max(leftLines.length, rightLines.length) }, (_, index) => {
    const line = leftLines[index] ?? ''
    const spaces = Math.max(0, Math.floor((columnWidth + gap - measure(line)) / space))
    return (line + ' '.repeat(spaces) + (rightLines[index] ?? '')).trimEnd()
  })
}
