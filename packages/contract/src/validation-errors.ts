import { createRequire } from 'node:module'
import type { TSchema } from 'typebox'
import type * as TypeBoxCompile from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import type * as TypeBoxSchema from 'typebox/schema'

const require = createRequire(import.meta.url)

/** The keywords of a schema that have subschemas. */
interface Composite {
  readonly anyOf?: readonly TSchema[]
  readonly allOf?: readonly TSchema[]
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly patternProperties?: Readonly<Record<string, TSchema>>
  readonly additionalProperties?: boolean | TSchema
  readonly items?: TSchema
}

/**
 * Finds about `max` violations of a schema, in the order and the words of TypeBox. TypeBox visits every part of the
 * value and describes each violation; this function stops early and skips valid items with compiled checks, so that
 * an array of a million invalid items costs no more than one of them.
 */
export function collectErrors(schema: TSchema, value: unknown, max: number): TLocalizedValidationError[] {
  const { anyOf, allOf, items } = schema as Composite
  if (anyOf) return collectFromAlternatives(anyOf, value, max)
  if (allOf) return takeErrors(allOf.values(), max, (part, left) => collectErrors(part, value, left))
  const own = errorsOf(withoutSubschemas(schema), value)
  // Not cut at max: the error that names an unknown field follows one that only announces it.
  if (own.length >= max) return own
  const children = Array.isArray(value)
    ? invalidItems(items, value)
    : isObject(value)
      ? invalidFields(schema, value)
      : []
  return [
    ...own,
    ...takeErrors(children, max - own.length, ([key, child, childSchema], left) =>
      collectErrors(childSchema, child, left).map((error) => ({
        ...error,
        instancePath: `/${escapePointer(key)}${error.instancePath}`,
      })),
    ),
  ]
}

/** The errors of all alternatives, or none if one of them matches. */
function collectFromAlternatives(
  alternatives: readonly TSchema[],
  value: unknown,
  max: number,
): TLocalizedValidationError[] {
  const errors: TLocalizedValidationError[] = []
  for (const alternative of alternatives) {
    const failures = collectErrors(alternative, value, max)
    if (failures.length === 0) return []
    errors.push(...failures)
  }
  return errors
}

type Child = readonly [key: string, value: unknown, schema: TSchema]

function* invalidItems(schema: TSchema | undefined, items: readonly unknown[]): Iterable<Child> {
  if (schema === undefined) return
  const isValid = checkOf(schema)
  for (const [index, item] of items.entries()) if (!isValid(item)) yield [String(index), item, schema]
}

function* invalidFields(
  { properties = {}, patternProperties = {}, additionalProperties }: Composite,
  fields: Readonly<Record<string, unknown>>,
): Iterable<Child> {
  const patterns = Object.entries(patternProperties).map(
    ([pattern, schema]) => [new RegExp(pattern, 'u'), schema] as const,
  )
  for (const [pattern, schema] of patterns) {
    const isValid = checkOf(schema)
    for (const key in fields) if (pattern.test(key) && !isValid(fields[key])) yield [key, fields[key], schema]
  }
  if (typeof additionalProperties === 'object') {
    const isValid = checkOf(additionalProperties)
    for (const key in fields) {
      if (Object.hasOwn(properties, key) || patterns.some(([pattern]) => pattern.test(key))) continue
      if (!isValid(fields[key])) yield [key, fields[key], additionalProperties]
    }
  }
  for (const [key, schema] of Object.entries(properties))
    if (Object.hasOwn(fields, key) && fields[key] !== undefined) yield [key, fields[key], schema]
}

function takeErrors<Part>(
  parts: Iterable<Part>,
  max: number,
  collect: (part: Part, left: number) => TLocalizedValidationError[],
): TLocalizedValidationError[] {
  const errors: TLocalizedValidationError[] = []
  for (const part of parts) {
    errors.push(...collect(part, max - errors.length))
    if (errors.length >= max) break
  }
  return errors
}

const shallowSchemas = new WeakMap<TSchema, TSchema>()

/** A schema with the same constraints on the value itself, and none on its items and fields. */
function withoutSubschemas(schema: TSchema): TSchema {
  let shallow = shallowSchemas.get(schema)
  if (shallow === undefined) {
    const { items, properties, patternProperties, additionalProperties, ...rest } = schema as Composite
    shallow = {
      ...rest,
      ...(properties && { properties: withEmptySchemas(properties) }),
      ...(patternProperties && { patternProperties: withEmptySchemas(patternProperties) }),
      ...(typeof additionalProperties === 'boolean' && { additionalProperties }),
    }
    shallowSchemas.set(schema, shallow)
  }
  return shallow
}

function withEmptySchemas(schemas: Readonly<Record<string, TSchema>>): Record<string, TSchema> {
  return Object.fromEntries(Object.keys(schemas).map((key) => [key, {}]))
}

function errorsOf(schema: TSchema, value: unknown): TLocalizedValidationError[] {
  const { Errors } = require('typebox/schema') as typeof TypeBoxSchema
  const [, errors] = Errors(schema, value)
  return errors
}

const checks = new WeakMap<TSchema, (value: unknown) => boolean>()

/** Returns the compiled check of a schema, which is compiled once. */
export function checkOf(schema: TSchema): (value: unknown) => boolean {
  let check = checks.get(schema)
  if (check === undefined) {
    const validator = (require('typebox/compile') as typeof TypeBoxCompile).Compile(schema)
    check = (value) => validator.Check(value)
    checks.set(schema, check)
  }
  return check
}

function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
