import type { Endpoint } from '../endpoint.ts'
import { Components, type Schema } from './components.ts'
import { describeOperation, responseHeaders } from './operation.ts'

/** What a document says of the cloud besides its endpoints. */
export interface DocumentOptions {
  readonly version: string
  /** Where clients reach the cloud. */
  readonly url: URL
}

const description = `The REST interface of Glasses Cloud.

Errors are worded in the style of the endpoint's group: \`{ success: false, message }\`, \`{ error }\` or \`{ error: CODE, message }\`; further fields may stand beside. A request that is no HTTP, takes too long to arrive or has an address that cannot be decoded or is far too long is answered with \`{ error }\` (400, 408, 431), a path that does not exist with 404, a method it does not have with 405. While the server ends, it answers 503.`

/** Derives the OpenAPI 3.1 document from the endpoints themselves, which validate with the schemas it shows. */
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
    externalDocs: { url: `${server}/asyncapi.json`, description: 'The sockets, as AsyncAPI' },
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
