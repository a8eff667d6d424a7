import { createRequire } from 'node:module'
import type { Static, TSchema } from 'typebox'
import type * as TypeBoxCompile from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { isLargerThan } from './json-limits.ts'
import { findLimits, type SizeLimit } from './size-limits.ts'
import { adaptValue } from './tolerant-reader.ts'
import { collectErrors } from './validation-errors.ts'

const require = createRequire(import.meta.url)

/** Values above this size, in characters of their JSON, are rejected without a detailed reason (ROB-6). */
export const MAX_EXPLAINED_LENGTH = 32 * 1024

const NONE: readonly string[] = []

/** Validates values against a schema. The work is at most proportional to the size of the value (ROB-6). */
export interface SchemaValidator<Schema extends TSchema> {
  /** Stops at the first violation. Sizes of arrays and objects are checked before their contents. */
  Check(value: unknown): value is Static<Schema>
  /**
   * Reads a value as `Check` does, and in the other forms that a tolerant schema has (`anyForm`, `anyPart`), to whose form it
   * is changed in place.
   * @returns the paths of fields that were left out; undefined if the value does not fit
   */
  Read(value: unknown): readonly string[] | undefined
  /** Fills in the schema's defaults, in place. */
  Default(value: unknown): unknown
  /**
   * Finds the first violation of a value that `Check` rejects: an error, or several alternatives for the same field.
   * @returns an empty list for values that are too large to explain
   */
  Errors(value: unknown): TLocalizedValidationError[]
  /** Finds about `max` violations, regardless of the size of the value. */
  AllErrors(value: unknown, max: number): TLocalizedValidationError[]
}

/**
 * Creates a validator for a schema. The schema is compiled, and the compiler loaded, on first use: the compiler is a
 * third of all modules that the cloud would otherwise load at start.
 */
export function createValidator<Schema extends TSchema>(schema: Schema): SchemaValidator<Schema> {
  let compiled: TypeBoxCompile.Validator | undefined
  let limits: readonly SizeLimit[] | undefined
  const validator = () => {
    compiled ??= (require('typebox/compile') as typeof TypeBoxCompile).Compile(
      schema,
    ) as TypeBoxCompile.Validator
    return compiled
  }
  const findExceededLimit = (value: unknown) => {
    limits ??= findLimits(schema)
    return limits.find((limit) => limit.isExceededBy(value))
  }
  const appliesDefaults = containsDefault(schema)
  const read = (value: unknown) => {
    if (findExceededLimit(value) !== undefined) return undefined
    if (validator().Check(value)) return NONE
    const ignored = adaptValue(schema, value)
    return ignored !== undefined && validator().Check(value) ? ignored : undefined
  }
  return {
    Check: (value): value is Static<Schema> =>
      findExceededLimit(value) === undefined && validator().Check(value),
    Read: read,
    Default: (value) => (appliesDefaults ? validator().Default(value) : value),
    Errors: (value) => {
      const exceeded = findExceededLimit(value)
      if (exceeded?.error) return [exceeded.error]
      return isLargerThan(value, MAX_EXPLAINED_LENGTH) ? [] : collectErrors(schema, value, 1)
    },
    AllErrors: (value, max) => collectErrors(schema, value, max),
  }
}

function containsDefault(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  if (!Array.isArray(schema) && 'default' in schema) return true
  return Object.values(schema).some(containsDefault)
}
