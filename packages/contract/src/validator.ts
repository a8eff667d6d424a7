import { createRequire } from 'node:module'
import type { Static, TSchema } from 'typebox'
import type * as TypeBoxCompile from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { findLimits, type SizeLimit } from './size-limits.ts'
import { collectErrors } from './validation-errors.ts'

/** Number of different keys that a JSON text from a client may contain; the largest legitimate one is 10,000 (STG-6). */
export const MAX_JSON_KEYS = 16_000

/** Shorter texts cannot contain enough keys to block the event loop, and are not scanned. */
const MIN_SCANNED_LENGTH = 64 * 1024

/** Number of hash values; a collision makes the count too low, never too high. */
const HASH_VALUES = 1 << 17
const seen = new Uint8Array(HASH_VALUES)

const QUOTE = 34
const BACKSLASH = 92
const COLON = 58

/**
 * Whether a JSON text contains more than `MAX_JSON_KEYS` different keys, approximately. `JSON.parse` takes 0.3 s for a
 * mebibyte of different keys and a hundredth of that for repeated ones; this takes some milliseconds, and stops early.
 */
export function hasTooManyKeys(json: string): boolean {
  if (json.length < MIN_SCANNED_LENGTH) return false
  seen.fill(0)
  let keys = 0
  let hash = 0
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index)
    if (code === QUOTE) {
      hash = 0
      for (index += 1; index < json.length; index += 1) {
        const inner = json.charCodeAt(index)
        if (inner === QUOTE) break
        if (inner === BACKSLASH) index += 1
        hash = (Math.imul(hash, 31) + inner) | 0
      }
    } else if (code === COLON) {
      // Outside a string, a colon follows a key.
      const slot = (hash ^ (hash >>> 15)) & (HASH_VALUES - 1)
      if (seen[slot] === 0) {
        seen[slot] = 1
        keys += 1
        if (keys > MAX_JSON_KEYS) return true
      }
    }
  }
  return false
}

/** Whether the JSON of a value is longer than `length` characters, roughly. Stops as soon as that is known. */
export function isLargerThan(value: unknown, length: number): boolean {
  return subtractLength(value, length) < 0
}

function subtractLength(value: unknown, remaining: number): number {
  if (typeof value === 'string') return remaining - value.length - 2
  if (typeof value !== 'object' || value === null) return remaining - 4
  let left = remaining - 2
  if (Array.isArray(value)) {
    for (const item of value) {
      if (left < 0) return left
      left = subtractLength(item, left - 1)
    }
    return left
  }
  const fields = value as Readonly<Record<string, unknown>>
  for (const key in fields) {
    if (left < 0) return left
    left = subtractLength(fields[key], left - key.length - 4)
  }
  return left
}

const require = createRequire(import.meta.url)

/** Values above this size, in characters of their JSON, are rejected without a detailed reason (ROB-6). */
export const MAX_EXPLAINED_LENGTH = 32 * 1024

/** Validates values against a schema. The work is at most proportional to the size of the value (ROB-6). */
export interface SchemaValidator<Schema extends TSchema> {
  /** Stops at the first violation. Sizes of arrays and objects are checked before their contents. */
  Check(value: unknown): value is Static<Schema>
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
  return {
    Check: (value): value is Static<Schema> =>
      findExceededLimit(value) === undefined && validator().Check(value),
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
