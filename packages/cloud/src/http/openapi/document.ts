import { isDeepStrictEqual } from 'node:util'
import type { Endpoint } from '../endpoint.ts'
import { describeOperation, responseHeaders } from './operation.ts'

/** A JSON Schema, or a part of one. */
export type Schema = Readonly<Record<string, unknown>>

/**
 * Collects the component schemas of an OpenAPI document: every schema with a title becomes a component with that name.
 */
export class Components {
  readonly schemas: Record<string, Schema> = {}

  /**
   * Returns the schema with its titled parts replaced by references.
   * @throws Error if two different schemas have the same title
   */
  hoist(schema: Schema): Schema {
    const plain = this.#replaceTitled(schema) as Schema
    return typeof plain.title === 'string' ? this.add(plain.title, plain) : plain
  }

  /** Adds a component. @returns a reference to it */
  add(name: string, schema: Schema): Schema {
    const known = this.schemas[name]
    if (known !== undefined && !isDeepStrictEqual(known, schema))
      throw new Error(`Two different schemas have the title ${name}`)
    this.schemas[name] = schema
    return { $ref: `#/components/schemas/${name}` }
  }

  #replaceTitled(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((entry) => this.#reference(entry))
    if (typeof value !== 'object' || value === null) return value
    // `Object.entries` omits the symbol keys of the validator.
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [
        key,
        key === 'properties' ? this.#replaceProperties(part) : this.#reference(part),
      ]),
    )
  }

  /** Handles a map of properties, in which `title` is a property name. */
  #replaceProperties(properties: object): Schema {
    return Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, this.#reference(schema)]),
    )
  }

  #reference(value: unknown): unknown {
    const isSchema = typeof value === 'object' && value !== null && 'title' in value
    return isSchema ? this.hoist(value as Schema) : this.#replaceTitled(value)
  }
}

interface DocumentOptions {
  readonly version: string
  /** The address at which clients reach the cloud. */
  readonly url: URL
}

const description = `The REST interface of Glasses Cloud.

Each group of endpoints has its style of errors: \`{ success: false, message }\`, \`{ error }\` or \`{ error: CODE, message }\`, with optional further fields. A request that is not valid HTTP, takes too long to arrive, or has an invalid or oversized URL is rejected with \`{ error }\` (400, 408, 431). Unknown paths return 404, unsupported methods 405. A server that is shutting down returns 503.`

/** Generates the OpenAPI 3.1 document from the schemas that the endpoints validate with. */
export function openApiDocument(endpoints: readonly Endpoint[], { version, url }: DocumentOptions): Schema {
  const components = new Components()
  const paths: Record<string, Record<string, Schema>> = {}
  for (const endpoint of endpoints) {
    const { path, method, operation } = describeOperation(endpoint, components)
    paths[path] = { ...paths[path], [method]: operation }
  }
  const server = url.href.replace(/\/+$/, '')
  return {
    openapi: '3.1.1',
    info: { title: 'Glasses Cloud', version, description, license: { name: 'MIT', identifier: 'MIT' } },
    externalDocs: { url: `${server}/asyncapi.json`, description: 'The AsyncAPI document of the sockets' },
    servers: [{ url: server }],
    tags: [...new Set(endpoints.flatMap(({ tags }) => tags))].map((name) => ({ name })),
    paths,
    components: {
      schemas: components.schemas,
      headers: responseHeaders,
      securitySchemes: Object.assign({}, ...endpoints.flatMap(({ auth }) => auth.security)),
    },
  }
}
