import { baseUrlOf } from '../base-url.ts'
import type { Endpoint } from '../endpoint.ts'
import { Components, type Schema } from './components.ts'
import { describeOperation, responseHeaders } from './operation.ts'

interface DocumentOptions {
  readonly version: string
  /** The address at which clients reach the cloud. */
  readonly url: URL
}

const description = `The REST interface of Glasses Cloud.

Errors have the form \`{ error: CODE, message }\`; those of some groups, which older clients read, \`{ success: false, message }\` or \`{ error }\`. Each may have further fields. A request that is not valid HTTP, takes too long to arrive, or has an invalid or oversized URL is rejected with \`{ error }\` (400, 408, 431). Unknown paths return 404, unsupported methods 405. A server that is shutting down returns 503.`

/** Generates the OpenAPI 3.1 document from the schemas that the endpoints validate with. */
export function openApiDocument(endpoints: readonly Endpoint[], { version, url }: DocumentOptions): Schema {
  const components = new Components()
  const paths: Record<string, Record<string, Schema>> = {}
  for (const endpoint of endpoints) {
    const { path, method, operation } = describeOperation(endpoint, components)
    paths[path] = { ...paths[path], [method]: operation }
  }
  const server = baseUrlOf(url)
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
