import type { Layout } from '@glasses-cloud/contract'
import { pad, sanitize, wrap } from './text.ts'

/** Columns and lines of a display. */
export interface DisplaySize {
  readonly width: number
  readonly height: number
}

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
 * Draws a layout as lines of text, without trailing empty lines.
 * @param fill replaces the placeholders in a text
 */
export function drawLayout(layout: Layout, size: DisplaySize, fill: (text: string) => string): string[] {
  const lines = layoutLines(layout, size, (text) => sanitize(fill(text))).slice(0, size.height)
  while (lines.at(-1) === '') lines.pop()
  return lines
}

function layoutLines(layout: Layout, size: DisplaySize, clean: (text: string) => string): string[] {
  switch (layout.layoutType) {
    case 'text_wall':
      return wrap(clean(layout.text), size.width)
    case 'double_text_wall':
      return sideBySide(clean(layout.topText), clean(layout.bottomText), size.width)
    case 'reference_card':
      return [...wrap(clean(layout.title), size.width), '', ...wrap(clean(layout.text), size.width)]
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

/** Glasses draw a double text wall side by side: `topText` on the left, `bottomText` on the right. */
function sideBySide(left: string, right: string, width: number): string[] {
  const gap = 2
  const columnWidth = Math.floor((width - gap) / 2)
  const leftLines = wrap(left, columnWidth)
  const rightLines = wrap(right, columnWidth)
  const height = Math.max(leftLines.length, rightLines.length)
  return Array.from({ length: height }, (_, index) =>
    (pad(leftLines[index] ?? '', columnWidth + gap) + (rightLines[index] ?? '')).trimEnd(),
  )
}
