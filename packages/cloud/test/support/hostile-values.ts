import type { TSchema } from 'typebox'

/** A value that is expensive to validate, with the place in the schema that it attacks. */
export interface HostileValue {
  readonly label: string
  readonly json: string
}

interface Keywords {
  readonly anyOf?: readonly TSchema[]
  readonly allOf?: readonly TSchema[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly type?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly minItems?: number
  readonly minLength?: number
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly patternProperties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly items?: TSchema
}

const texts = [
  'x',
  'a.b',
  'x@y',
  'acme',
  'https://example.org',
  '2026-01-01T00:00:00Z',
  '1.0.0',
  '0'.repeat(64),
]

/**
 * Generates values for the places of a schema that are expensive to validate: long arrays and wide objects of invalid
 * and of valid entries, long strings, and deep nesting. The parents of a place are valid, so that a validator reaches
 * it. Subschemas that occur again are skipped.
 */
export class HostileValues {
  readonly #lengths: readonly number[]
  readonly #seen = new Set<string>()
  #count = 0

  /** @param lengths approximate lengths of the generated values in characters, used in turn */
  constructor(lengths: readonly number[]) {
    this.#lengths = lengths
  }

  *of(schema: TSchema, path = '', embed = (json: string) => json): Iterable<HostileValue> {
    const key = JSON.stringify(schema)
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    const place = path === '' ? 'the value' : path
    const { anyOf = [], allOf = [], items, properties = {}, patternProperties } = schema as Keywords
    yield { label: `${place}: long string`, json: embed(JSON.stringify('x'.repeat(this.#nextLength()))) }
    if (!hasParts(schema)) return
    yield* this.#collections(schema, place, embed)
    for (const [index, part] of [...anyOf, ...allOf].entries())
      if (hasParts(part)) yield* this.of(part, `${path}|${index}`, embed)
    for (const [name, property] of Object.entries(properties)) {
      const siblings = Object.entries(exampleOf(schema) as object).filter(([sibling]) => sibling !== name)
      const fields = siblings.map(
        ([sibling, value]) => `${JSON.stringify(sibling)}:${JSON.stringify(value)},`,
      )
      yield* this.of(property, `${path}/${name}`, (json) =>
        embed(`{${fields.join('')}${JSON.stringify(name)}:${json}}`),
      )
    }
    for (const values of Object.values(patternProperties ?? {}))
      yield* this.of(values, `${path}/*`, (json) => embed(`{"a":${json}}`))
    if (items) yield* this.of(items, `${path}/0`, (json) => embed(`[${json}]`))
  }

  *#collections(schema: TSchema, place: string, embed: (json: string) => string): Iterable<HostileValue> {
    const { items = {} } = schema as Keywords
    const valid = JSON.stringify(exampleOf(schema))
    const nested = `${'['.repeat(60)}${']'.repeat(60)}`
    for (const entry of new Set(['0', '""', '{}', nested, JSON.stringify(exampleOf(items))])) {
      const kind = entry.slice(0, 60)
      yield { label: `${place}: array of ${kind}`, json: embed(arrayOf(entry, this.#nextLength())) }
      yield {
        label: `${place}: object of ${kind}`,
        json: embed(wideObject(valid, entry, this.#nextLength())),
      }
    }
  }

  #nextLength(): number {
    return this.#lengths[this.#count++ % this.#lengths.length] ?? 0
  }
}

function hasParts(schema: TSchema): boolean {
  const { anyOf, allOf, properties, items, patternProperties } = schema as Keywords
  return [anyOf, allOf, properties, items, patternProperties].some((part) => part !== undefined)
}

function arrayOf(entry: string, length: number): string {
  const count = Math.ceil(length / (entry.length + 1))
  return `[${Array(count).fill(entry).join(',')}]`
}

function wideObject(valid: string, entry: string, length: number): string {
  const count = Math.ceil(length / (entry.length + 10))
  const fields = Array.from({ length: count }, (_, index) => `"k${index}":${entry}`).join(',')
  return valid.startsWith('{') && valid.length > 2 ? `${valid.slice(0, -1)},${fields}}` : `{${fields}}`
}

/** A small value that matches a schema. */
function exampleOf(schema: TSchema): unknown {
  const {
    anyOf,
    allOf,
    const: constant,
    enum: allowed,
    type,
    pattern,
    minimum = 0,
    ...rest
  } = schema as Keywords
  if (constant !== undefined) return constant
  if (allowed) return allowed[0]
  if (anyOf)
    return exampleOf(anyOf.find((part) => (part as Keywords).type !== 'null') ?? (anyOf[0] as TSchema))
  if (allOf) return Object.assign({}, ...allOf.map(exampleOf))
  switch (type) {
    case 'object': {
      const { properties = {}, required = [] } = rest
      return Object.fromEntries(required.map((key) => [key, exampleOf(properties[key] ?? {})]))
    }
    case 'array':
      return Array.from({ length: rest.minItems ?? 0 }, () => exampleOf(rest.items ?? {}))
    case 'string':
      return pattern === undefined ? 'x' : (texts.find((text) => new RegExp(pattern, 'u').test(text)) ?? 'x')
    case 'number':
    case 'integer':
      return minimum
    case 'boolean':
      return true
    default:
      return null
  }
}
