import { type ErrorCode, type ErrorEntry, type ErrorStyle, errors } from '@glasses-cloud/contract'
import type { Endpoint } from '../endpoint.ts'
import { errorBody } from '../error-handler.ts'
import { type Fault, fault } from '../fault.ts'
import type { Components, Schema } from './components.ts'

const text = { type: 'string' }

/** Schemas of the error styles. */
const styles: Readonly<Record<ErrorStyle, { readonly name: string; schema(codes: ErrorCode[]): Schema }>> = {
  envelope: {
    name: 'EnvelopeError',
    schema: () => ({
      type: 'object',
      required: ['success', 'message'],
      properties: { success: { const: false }, message: text },
    }),
  },
  bare: {
    name: 'BareError',
    schema: () => ({ type: 'object', required: ['error'], properties: { error: text } }),
  },
  coded: {
    name: 'CodedError',
    schema: () => ({
      type: 'object',
      required: ['error', 'message'],
      properties: { error: { ...text, description: 'A stable code' }, message: text },
    }),
  },
  supabase: {
    name: 'SupabaseError',
    schema: () => ({
      type: 'object',
      required: ['code', 'error_code', 'msg'],
      properties: {
        code: { type: 'integer', description: 'The status' },
        error_code: { ...text, description: 'A code of Supabase Auth' },
        msg: text,
      },
    }),
  },
}

/**
 * Lists all errors of an endpoint: its own, those of its authentication scheme, and those of the HTTP kernel.
 */
function errorCodesOf(endpoint: Endpoint): readonly ErrorCode[] {
  const { schema, auth, errors: own, invalid, failure = 'INTERNAL', limits, method } = endpoint
  const codes = new Set<ErrorCode>([...auth.errors, ...own, failure])
  const checked = schema.params ?? schema.querystring ?? schema.headers ?? schema.body
  if (typeof invalid === 'string') codes.add(invalid)
  else if (checked !== undefined) codes.add('BAD_REQUEST')
  // Bodies are parsed even for endpoints without a body schema.
  if (method !== 'GET') codes.add('BAD_REQUEST').add('PAYLOAD_TOO_LARGE').add('UNSUPPORTED_MEDIA_TYPE')
  if (limits?.perMinute !== 'unlimited') codes.add('RATE_LIMITED').add('NODE_UNAVAILABLE')
  return [...codes]
}

/** Describes the error responses of an endpoint by status, with an example for each error. */
export function describeErrors(endpoint: Endpoint, components: Components): Record<string, Schema> {
  const byStatus = Map.groupBy(errorCodesOf(endpoint), (code) => errors[code].status)
  return Object.fromEntries(
    [...byStatus]
      .sort(([one], [other]) => one - other)
      .map(([status, codes]) => [String(status), describeStatus(codes, endpoint.style, components)]),
  )
}

function describeStatus(codes: ErrorCode[], groupStyle: ErrorStyle, components: Components): Schema {
  const styleOf = (code: ErrorCode) => entryOf(code).style ?? groupStyle
  const plain = codes.filter((code) => entryOf(code).extraFields === undefined)
  const schemas = [
    ...[...Map.groupBy(plain, styleOf)].map(([style, ofStyle]) => schemaOf(style, ofStyle, components)),
    ...codes.flatMap((code) => {
      const { extraFields } = entryOf(code)
      if (extraFields === undefined) return []
      return [{ allOf: [schemaOf(styleOf(code), [code], components), components.hoist({ ...extraFields })] }]
    }),
  ]
  const [only] = schemas
  return {
    description: codes.map((code) => errors[code].message).join('; '),
    content: {
      'application/json': {
        schema: schemas.length === 1 ? only : { anyOf: schemas },
        examples: Object.fromEntries(
          codes.map((code) => [code, { value: errorBody(exampleOf(code), groupStyle) }]),
        ),
      },
    },
  }
}

const entryOf = (code: ErrorCode): ErrorEntry => errors[code]

function exampleOf(code: ErrorCode): Fault {
  const { examples } = (entryOf(code).extraFields ?? {}) as { examples?: Readonly<Record<string, unknown>>[] }
  return fault(code, { extra: examples?.[0] ?? {} })
}

/** Restricts the code of a coded error to the codes that the endpoint lists. */
function schemaOf(style: ErrorStyle, codes: ErrorCode[], components: Components): Schema {
  const { name, schema } = styles[style]
  const reference = components.add(name, { ...schema(codes), title: name })
  if (style !== 'coded') return reference
  return { allOf: [reference, { type: 'object', properties: { error: { enum: codes } } }] }
}
