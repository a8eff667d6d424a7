import type { TObject } from 'typebox'
import { type Endpoint, urlsOf } from '../endpoint.ts'
import type { Components, Schema } from './components.ts'
import { describeErrors } from './error-responses.ts'

/** An operation of the OpenAPI document. */
interface Operation {
  /** With `{name}` parameters. */
  readonly path: string
  /** In lower case. */
  readonly method: string
  readonly operation: Schema
}

/** Describes an endpoint by its schemas. */
export function describeOperation(endpoint: Endpoint, components: Components): Operation {
  const { method, schema, auth, summary, tags, limits } = endpoint
  const [url = '', ...aliases] = urlsOf(endpoint)
  const requestBody = requestBodyOf(endpoint, components)
  const parameters = [
    ...parametersOf('path', schema.params, components),
    ...parametersOf('query', schema.querystring, components),
    ...parametersOf('header', schema.headers, components),
  ]
  return {
    path: pathOf(url),
    method: method.toLowerCase(),
    operation: {
      operationId: operationIdOf(method, url),
      summary,
      tags,
      ...(aliases.length === 0 ? {} : { 'x-aliases': aliases.map(pathOf) }),
      security: auth.security.map((requirement) =>
        Object.fromEntries(Object.keys(requirement).map((name) => [name, []])),
      ),
      ...(parameters.length === 0 ? {} : { parameters }),
      ...(requestBody === undefined ? {} : { requestBody }),
      responses: withHeaders(
        { ...successesOf(endpoint, components), ...describeErrors(endpoint, components) },
        limits?.perMinute !== 'unlimited',
      ),
    },
  }
}

const pathOf = (url: string) => url.replace(/:(\w+)/g, '{$1}')

/** Returns a unique identifier: `GET /api/apps/:packageName` becomes `getApiAppsPackageName`. */
function operationIdOf(method: string, url: string): string {
  const words = url.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function parametersOf(
  location: 'path' | 'query' | 'header',
  schema: TObject | undefined,
  components: Components,
) {
  const required = new Set<string>(schema?.required ?? [])
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = property as Schema
    // Parameters with a default are optional.
    const isRequired = location === 'path' || (required.has(name) && rest.default === undefined)
    return {
      name,
      in: location,
      ...(isRequired ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      schema: components.hoist(rest),
    }
  })
}

function requestBodyOf({ schema, media }: Endpoint, components: Components): Schema | undefined {
  if (media?.form !== undefined)
    return {
      required: true,
      content: { 'multipart/form-data': { schema: components.hoist({ ...media.form }) } },
    }
  if (schema.body === undefined) return undefined
  const body = schema.body as Schema
  // A missing body counts as an empty object.
  const required = Array.isArray(body.required) && body.required.length > 0
  return { required, content: { 'application/json': { schema: components.hoist(body) } } }
}

function successesOf({ schema, media }: Endpoint, components: Components): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(schema.response).map(([status, response]) => {
      const { type, description = 'Done' } = response as Schema
      if (type === 'null') return [status, { description }]
      const content = { schema: components.hoist(response as Schema) }
      const types = media?.contentTypes ?? ['application/json']
      return [status, { description, content: Object.fromEntries(types.map((name) => [name, content])) }]
    }),
  )
}

const reference = (name: string) => ({ $ref: `#/components/headers/${name}` })

function withHeaders(responses: Record<string, Schema>, isLimited: boolean): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const names = [
        'X-Request-Id',
        ...(isLimited ? ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] : []),
        ...(status === '429' ? ['Retry-After'] : []),
        ...(status === '401' ? ['WWW-Authenticate'] : []),
      ]
      return [
        status,
        { ...response, headers: Object.fromEntries(names.map((name) => [name, reference(name)])) },
      ]
    }),
  )
}

/** Headers of responses. */
export const responseHeaders: Schema = {
  'X-Request-Id': {
    description: 'Id of the request in the log: the one sent by the client, or a new one',
    schema: { type: 'string' },
  },
  'RateLimit-Limit': { description: 'Requests a minute', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Requests left in this minute', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until the limit is reset', schema: { type: 'integer' } },
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'The required kind of credential', schema: { type: 'string' } },
}
