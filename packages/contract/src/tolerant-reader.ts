import { type TSchema, type TStringOptions, Type } from 'typebox'
import { jsonLength } from './json-limits.ts'
import { cutText } from './text.ts'
import { checkOf } from './validation-errors.ts'

/** Options of a schema whose values are read in no other form, because they prove who sends them. */
export const exactForm = {} as const

/**
 * Options of a schema whose values are read in other forms too: null for an absent field, a number or boolean for its text,
 * a text for its number or boolean, fixed words in any case. A value that fits the schema is never changed; neither are
 * entries of lists, except for the fields of objects.
 */
export const anyForm = { 'x-tolerant': 'form' } as const

/**
 * Options of a schema of what phones report: as {@link anyForm}, and fields and list entries that cannot be read are left
 * out, so that the rest is not lost. A required field then has its default, without which it is never left out.
 */
export const anyPart = { 'x-tolerant': 'part' } as const

/** Whether fields are left out of values of a schema that cannot be read ({@link anyPart}). */
export function leavesOutFields(schema: object | undefined): boolean {
  return schema !== undefined && 'x-tolerant' in schema && schema['x-tolerant'] === 'part'
}

/** Schema of a text of which phones may report more than is kept; longer ones are shortened to `maxLength`. */
export function shortened(maxLength: number, options: TStringOptions = {}) {
  return Type.String({ ...options, maxLength, 'x-shortened': true })
}

/** The keywords of a schema that reading depends on. */
interface Shape {
  readonly 'x-tolerant'?: 'form' | 'part'
  readonly 'x-shortened'?: true
  readonly default?: unknown
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly maxLength?: number
  readonly anyOf?: readonly TSchema[]
  readonly allOf?: readonly TSchema[]
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly items?: TSchema
}

/**
 * Changes a value that does not fit a schema in place, as far as the schema allows ({@link anyForm}, {@link anyPart}).
 * @returns the paths of the fields that were left out, such as `events[2]`; undefined if the value cannot be read, which is
 * then unchanged
 */
export function adaptValue(schema: TSchema, value: unknown): string[] | undefined {
  const { 'x-tolerant': tolerance } = schema as Shape
  if (tolerance === undefined) return undefined
  const reader = new TolerantReader(tolerance === 'part', MIN_MISFITS + jsonLength(value) / MISFIT_LENGTH)
  return reader.read(schema, value, '') === undefined ? undefined : reader.apply()
}

/** Values that may not fit, in proportion to the length of the JSON: what is wrong everywhere is rejected (ROB-6). */
const MIN_MISFITS = 20
const MISFIT_LENGTH = 32

class TolerantReader {
  readonly #leavesOut: boolean
  /** How many more values may not fit. */
  #misfits: number
  /** Applied once the whole value can be read, because copies of wide objects take longer than parsing them. */
  readonly #changes: (() => void)[] = []
  readonly #ignored: string[] = []

  constructor(leavesOut: boolean, misfits: number) {
    this.#leavesOut = leavesOut
    this.#misfits = misfits
  }

  /** Returns the value in a form that fits the schema; undefined if there is none. */
  read(schema: TSchema, value: unknown, path: string): unknown {
    if (checkOf(schema)(value)) return value
    this.#misfits -= 1
    if (this.#misfits < 0) return undefined
    const changes = this.#changes.length
    const ignored = this.#ignored.length
    const found = this.#adapt(schema, value, path)
    if (found === undefined) {
      this.#changes.length = changes
      this.#ignored.length = ignored
    }
    return found
  }

  apply(): string[] {
    for (const change of this.#changes) change()
    return this.#ignored
  }

  #adapt(schema: TSchema, value: unknown, path: string): unknown {
    const { anyOf, allOf, properties, items } = schema as Shape
    if (allOf) return allOf.every((part) => this.read(part, value, path) !== undefined) ? value : undefined
    if (anyOf) {
      for (const alternative of anyOf) {
        const found = this.read(alternative, value, path)
        if (found !== undefined) return found
      }
      return undefined
    }
    if (properties && isObject(value)) return this.#adaptFields(schema as Shape, value, path)
    if (items && Array.isArray(value)) return this.#adaptEntries(items, value, path)
    const converted = convert(schema as Shape, value)
    return converted !== undefined && checkOf(schema)(converted) ? converted : undefined
  }

  #adaptFields(
    { properties = {}, required = [] }: Shape,
    fields: Record<string, unknown>,
    path: string,
  ): object | undefined {
    for (const [name, schema] of Object.entries(properties)) {
      const value = Object.hasOwn(fields, name) ? fields[name] : undefined
      let next = value === undefined ? undefined : this.read(schema, value, join(path, name))
      if (next === undefined) {
        const isUnreadable = value !== undefined && value !== null
        if (isUnreadable && !this.#leavesOut) return undefined
        if (isUnreadable && value !== '') this.#ignored.push(join(path, name))
        if (this.#leavesOut) next = (schema as Shape).default
        if (next === undefined && required.includes(name)) return undefined
      }
      if (next === value) continue
      this.#changes.push(() => {
        if (next === undefined) delete fields[name]
        else fields[name] = next
      })
    }
    return fields
  }

  #adaptEntries(schema: TSchema, entries: readonly unknown[], path: string): unknown[] | undefined {
    const kept: unknown[] = []
    for (const [index, entry] of entries.entries()) {
      const found =
        isObject(entry) || checkOf(schema)(entry) ? this.read(schema, entry, `${path}[${index}]`) : undefined
      if (found !== undefined) kept.push(found)
      else if (this.#leavesOut) this.#ignored.push(`${path}[${index}]`)
      else return undefined
    }
    return kept
  }
}

/**
 * Reads a number or a boolean in any form.
 * @returns undefined if the value is neither
 */
export function readAs(type: 'number' | 'boolean', value: unknown): unknown {
  return typeof value === type ? value : convert({ type }, value)
}

const NUMBER = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i

/** Converts a single value to the type of a schema; undefined if it has no such form. */
function convert(schema: Shape, value: unknown): unknown {
  const words = schema.enum ?? ('const' in schema ? [schema.const] : undefined)
  if (words) return words.find((word) => isSameWord(word, value))
  switch (schema.type) {
    case 'string':
      return toText(schema, value)
    case 'number':
    case 'integer':
      return typeof value === 'string' && NUMBER.test(value.trim()) ? toFinite(Number(value)) : undefined
    case 'boolean':
      return [true, false].find(
        (flag) => isSameWord(flag, value) || value === Number(flag) || value === `${Number(flag)}`,
      )
    default:
      return undefined
  }
}

function toText({ maxLength, 'x-shortened': isShortened }: Shape, value: unknown): string | undefined {
  // Larger numbers have lost digits.
  const isExact = typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER
  const text = isExact || typeof value === 'boolean' ? String(value) : value
  if (typeof text !== 'string' || isShortened !== true) return typeof text === 'string' ? text : undefined
  return maxLength === undefined ? text : cutText(text, maxLength)
}

function toFinite(number: number): number | undefined {
  return Number.isFinite(number) ? number : undefined
}

function isSameWord(word: unknown, value: unknown): boolean {
  return typeof value !== 'object' && String(value).trim().toLowerCase() === String(word).toLowerCase()
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** Narrows a value of JSON to an object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
