import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

/** A documented response of an operation. */
interface DocumentedResponse {
  readonly content?: Readonly<Record<string, unknown>>
}

/** An operation of an OpenAPI document. */
export interface DocumentedOperation {
  readonly 'x-aliases'?: readonly string[]
  readonly responses: Readonly<Record<string, DocumentedResponse>>
}

/** The parts of an OpenAPI document that responses are validated against. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
}

/** A received response. */
export interface ReceivedResponse {
  readonly status: number
  readonly contentType: string | null
  readonly text: string
}

interface Route {
  readonly pattern: RegExp
  readonly parameters: number
  readonly path: string
}

/** Validates responses against the OpenAPI document of the cloud. */
export class OpenApiValidator {
  readonly #document: OpenApiDocument
  readonly #routes: readonly Route[]
  readonly #ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true })

  constructor(document: OpenApiDocument) {
    this.#document = document
    formats.default(this.#ajv)
    this.#ajv.addFormat('binary', true)
    this.#ajv.addSchema(document, 'description')
    this.#routes = Object.entries(document.paths)
      .flatMap(([path, operations]) =>
        [path, ...Object.values(operations).flatMap((operation) => operation['x-aliases'] ?? [])].map((url) =>
          routeOf(url, path),
        ),
      )
      // Literal segments take precedence over parameters, as in the router.
      .sort((one, other) => one.parameters - other.parameters)
  }

  /**
   * Asserts that a response matches its description. Responses for unknown paths and methods pass, as does the 503 of a
   * server that is shutting down.
   */
  check(method: string, path: string, received: ReceivedResponse): void {
    const found = this.#find(method, path)
    if (found === undefined || (received.status === 503 && !('503' in found.operation.responses))) return
    const response = `${method} ${found.path} returned ${received.status} ${inspect(received.text.slice(0, 500))}`
    const described = found.operation.responses[received.status]
    assert.ok(described, `${response}: the status is not documented`)
    if (described.content === undefined)
      return assert.equal(received.text, '', `${response}: no body is documented`)
    const type = received.contentType?.split(';', 1)[0] ?? ''
    assert.ok(
      type in described.content,
      `${response}: the content type ${type || '(none)'} is not documented`,
    )
    if (type !== 'application/json') return
    const pointer = [
      'paths',
      found.path,
      method.toLowerCase(),
      'responses',
      `${received.status}`,
      'content',
      type,
    ]
    const validate = this.#ajv.getSchema(
      `description#/${[...pointer, 'schema'].map(escapePointer).join('/')}`,
    )
    assert.ok(validate, `${response}: no schema is documented`)
    // A JSON file for download is described as binary.
    const isFile = (validate.schema as { format?: string }).format === 'binary'
    assert.ok(
      isFile || validate(JSON.parse(received.text)),
      `${response}: ${this.#ajv.errorsText(validate.errors, { dataVar: 'body' })}`,
    )
  }

  #find(method: string, path: string) {
    const pathname = path.split(/[?#]/, 1)[0] ?? ''
    if (!isRoutable(pathname)) return undefined
    for (const route of this.#routes) {
      const operation = this.#document.paths[route.path]?.[method.toLowerCase()]
      if (operation !== undefined && route.pattern.test(pathname)) return { path: route.path, operation }
    }
    return undefined
  }
}

function routeOf(url: string, path: string): Route {
  const source = url
    .split('/')
    .map((step) => (step.startsWith('{') ? '[^/]+' : step.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('/')
  return { pattern: new RegExp(`^${source}/?$`), parameters: url.split('{').length - 1, path }
}

/** A step of a JSON pointer within a URL fragment. */
const escapePointer = (step: string) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))

/** Whether the router looks the path up: undecodable paths and overlong segments are rejected before. */
function isRoutable(path: string): boolean {
  if (path.split('/').some((step) => step.length > 16_384)) return false
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
