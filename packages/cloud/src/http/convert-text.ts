import type { TSchema } from 'typebox'

/**
 * Converts the text values of path, query and headers to numbers and booleans where the schema requires them. Other text
 * is left unchanged, so that validation rejects it: `1.5` for an integer, `yes` for a boolean.
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
