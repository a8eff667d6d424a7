import { createValidator, findViolations, formatViolation } from '@glasses-cloud/contract'
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import type { InvalidPart } from './endpoint.ts'
import { addIgnoredFields } from './ignored-fields.ts'

/**
 * Stands for the JSON body `null`: Fastify passes null to validators for a missing body, which counts as `{}` (HTTP-16).
 */
export const JSON_NULL = Symbol('JSON null')

/** A part of a request does not match its schema; the error handler converts this to the endpoint's error. */
export class InvalidRequest extends Error {
  readonly part: InvalidPart

  constructor(part: InvalidPart) {
    super(part.message)
    this.name = 'InvalidRequest'
    this.part = part
  }
}

const PART_NAMES = {
  params: 'The path',
  querystring: 'The query',
  headers: 'The headers',
  body: 'The body',
} as const

/**
 * Validates requests with TypeBox, like the sockets. The text values of path, query and headers are first converted to
 * the types of the schema; the values of a JSON body are not, unless its schema reads other forms.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const part = partOf(httpPart)
  const validator = createValidator(schema)
  return (value: unknown) => {
    const candidate = validator.Default(part === 'body' ? bodyOf(value) : convertText(schema, value))
    const ignored = validator.Read(candidate)
    if (ignored !== undefined) {
      if (ignored.length > 0) addIgnoredFields(Object(candidate), ignored)
      return { value: candidate }
    }
    const [breach = { field: '', problem: 'is not valid' }] = findViolations(validator.Errors(candidate))
    return {
      error: new InvalidRequest({
        part,
        field: breach.field.split(/[.[]/, 1)[0] ?? '',
        message: formatViolation(breach, PART_NAMES[part]),
      }),
    }
  }
}

function bodyOf(value: unknown): unknown {
  if (value === JSON_NULL) return null
  return value ?? {}
}

function partOf(httpPart: string | undefined): InvalidPart['part'] {
  return httpPart === 'params' || httpPart === 'querystring' || httpPart === 'headers' ? httpPart : 'body'
}

/**
 * Converts the text values of path, query and headers to numbers and booleans where the schema requires them. Other text
 * is left unchanged, so that validation rejects it: `1.5` for an integer, `yes` for a boolean.
 */
function convertText(schema: TSchema, value: unknown): unknown {
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
