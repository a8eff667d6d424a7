import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'

/** Text without control characters, which PostgreSQL (U+0000) and lines of a log do not accept; may be empty. */
export const SINGLE_LINE_PATTERN = '^[^\\x00-\\x1f\\x7f]*$'

/** Text of 1 to 100 characters without control characters. */
export const SHORT_LINE_PATTERN = '^[^\\x00-\\x1f\\x7f]{1,100}$'

/** The maximum size of an array or object at a fixed path of a schema, checked before any contents. */
export interface SizeLimit {
  /** Absent if the contents of the value explain the violation better than its size. */
  readonly error?: TLocalizedValidationError
  isExceededBy(value: unknown): boolean
}

interface LimitedSchema {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly patternProperties?: object
  readonly additionalProperties?: unknown
}

/** Finds the size limits of a schema that are reachable through properties alone. */
export function findLimits(schema: TSchema): SizeLimit[] {
  return collectLimits(schema, [])
}

function collectLimits(schema: TSchema, path: readonly string[]): SizeLimit[] {
  const { properties = {}, maxItems, maxProperties, ...rest } = schema as LimitedSchema
  const instancePath = path.map((key) => `/${key}`).join('')
  const limits: SizeLimit[] = []
  if (maxItems !== undefined)
    limits.push({
      error: {
        keyword: 'maxItems',
        schemaPath: '#',
        instancePath,
        params: { limit: maxItems },
        message: `must not have more than ${maxItems} items`,
      },
      isExceededBy: (value) => {
        const array = valueAt(value, path)
        return Array.isArray(array) && array.length > maxItems
      },
    })
  if (maxProperties !== undefined)
    limits.push({
      error: {
        keyword: 'maxProperties',
        schemaPath: '#',
        instancePath,
        params: { limit: maxProperties },
        message: `must not have more than ${maxProperties} properties`,
      },
      isExceededBy: (value) => hasMoreKeysThan(valueAt(value, path), maxProperties),
    })
  if (rest.additionalProperties === false && rest.patternProperties === undefined) {
    const count = Object.keys(properties).length
    limits.push({ isExceededBy: (value) => hasMoreKeysThan(valueAt(value, path), count) })
  }
  return limits.concat(
    Object.entries(properties).flatMap(([key, property]) => collectLimits(property, [...path, key])),
  )
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let current = value
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined
    current = (current as Readonly<Record<string, unknown>>)[key]
  }
  return current
}

function hasMoreKeysThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  let count = 0
  for (const _ in value) if (++count > limit) return true
  return false
}
