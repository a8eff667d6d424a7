import type { Layout } from '@glasses-cloud/contract'

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
