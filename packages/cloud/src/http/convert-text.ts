import type { TSchema } from 'typebox'

/**
 * Path, query and headers arrive as text; where their schema wants a number or a boolean, exactly the text of one
 * is taken for it. All else stays as it came, for the validator to refuse: `1.5` is no integer, `yes` no boolean.
 */
export function convertText(schema: TSchema, value: unknown): unknown {
  const { properties } = schema as { properties?: Record<string, { type?: unknown }> }
  if (properties === undefined || typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, text]) => [
    name,
    convertValue(properties[name]?.type, text),
  ])
  return Object.fromEntries(entries)
}

function convertValue(type: unknown, text: unknown): unknown {
  if (typeof text !== 'string') return text
  switch (type) {
    case 'integer':
    case 'number':
      return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    default:
      return text
  }
}
