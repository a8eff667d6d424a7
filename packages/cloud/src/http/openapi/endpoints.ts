import { createReadStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Type } from 'typebox'
import { none } from '../auth/open-schemes.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { fault } from '../fault.ts'
import { baseUrlOf } from '../request-origin.ts'
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

/** Collaborators of the endpoints that describe the interface. */
interface DescriptionDeps {
  /** Version of the cloud. */
  readonly version: string
  /** Base URL of the cloud for clients. */
  readonly publicUrl: () => URL
}

/** The document of each server, created on the first request to keep the start fast. */
const documents = new WeakMap<object, string>()

/** Serves the OpenAPI 3.1 document, to any origin. */
const openApi = ({ version, publicUrl }: DescriptionDeps) =>
  endpoint({
    method: 'GET',
    url: '/openapi.json',
    summary: 'The OpenAPI 3.1 document',
    tags: ['operation'],
    style: 'bare',
    auth: none,
    anyOrigin: true,
    schema: {
      response: { 200: Type.Object({ openapi: Type.String() }, { description: 'An OpenAPI document' }) },
    },
    errors: [],
    handler: async ({ request: { server }, reply }) => {
      let text = documents.get(server)
      if (text === undefined) {
        text = JSON.stringify(openApiDocument(server.endpoints, { version, url: publicUrl() }))
        documents.set(server, text)
      }
      return reply.header('content-type', 'application/json; charset=utf-8').send(text)
    },
  })

/** Returns the folder of the installed Swagger UI; nothing is loaded from other servers. */
const folder = () => new URL('./static/', import.meta.resolve('@fastify/swagger-ui'))

const start = `SwaggerUIBundle({
  url: new URL('../openapi.json', document.currentScript.src).href,
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
})
`

/** Files of the page by name; without `content`, the file of Swagger UI is served. */
const files: Readonly<Record<string, { readonly type: string; readonly content?: string }>> = {
  'swagger-ui.css': { type: 'text/css; charset=utf-8' },
  'swagger-ui-bundle.js': { type: 'text/javascript; charset=utf-8' },
  'favicon-32x32.png': { type: 'image/png' },
  'start.js': { type: 'text/javascript; charset=utf-8', content: start },
}

/** @param base path from the page to its files */
const page = (base: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Glasses Cloud</title>
    <link rel="stylesheet" href="${base}swagger-ui.css">
    <link rel="icon" type="image/png" href="${base}favicon-32x32.png">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${base}swagger-ui-bundle.js"></script>
    <script src="${base}start.js"></script>
  </body>
</html>
`

const shared = {
  method: 'GET',
  tags: ['operation'],
  style: 'bare',
  auth: none,
} as const

const docsPage = ({ publicUrl }: DescriptionDeps) =>
  endpoint({
    ...shared,
    url: '/docs',
    summary: 'API documentation',
    schema: { response: { 200: Type.String() } },
    media: { contentTypes: ['text/html'] },
    errors: [],
    handler: async ({ request, reply }) => {
      const [path = ''] = request.url.split('?', 1)
      return reply
        .headers({
          'content-type': 'text/html; charset=utf-8',
          // Requests are sent to the public URL, which may differ from the page's origin.
          'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self' ${publicUrl().origin}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
        })
        .send(page(path.endsWith('/') ? '' : 'docs/'))
    },
  })

const docsFile = endpoint({
  ...shared,
  url: '/docs/:file',
  summary: 'A file of the API documentation',
  schema: {
    params: Type.Object({ file: Type.String() }),
    response: { 200: Type.String({ format: 'binary' }) },
  },
  media: { contentTypes: ['text/css', 'text/javascript', 'image/png'] },
  errors: ['NOT_FOUND'],
  handler: async ({ params, reply }) => {
    const file = Object.hasOwn(files, params.file) ? files[params.file] : undefined
    if (file === undefined) throw fault('NOT_FOUND')
    const content = file.content ?? createReadStream(fileURLToPath(new URL(params.file, folder())))
    return reply.headers({ 'content-type': file.type, 'cache-control': 'public, max-age=3600' }).send(content)
  },
})

/** Endpoints that describe the REST interface: the OpenAPI document for programs, `/docs` for people. */
export const openApiEndpoints = (deps: DescriptionDeps): Endpoint[] => [
  openApi(deps),
  docsPage(deps),
  docsFile,
]
