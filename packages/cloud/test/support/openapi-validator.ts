import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

/** What an OpenAPI document says of one status. */
interface DescribedAnswer {
  readonly content?: Readonly<Record<string, unknown>>
}

/** What an OpenAPI document says of one operation. */
export interface DescribedOperation {
  readonly 'x-aliases'?: readonly string[]
  readonly responses: Readonly<Record<string, DescribedAnswer>>
}

/** The parts of an OpenAPI document that answers are held against. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
}

/** An answer as it came. */
export interface Answered {
  readonly status: number
  readonly contentType: string | null
  readonly text: string
}

interface Route {
  readonly pattern: RegExp
  readonly parameters: number
  readonly path: string
}

/** Holds answers against the interface's own description. */
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
      // Fixed words take precedence over parameters, as they do in the server.
      .sort((one, other) => one.parameters - other.parameters)
  }

  /**
   * Fails if an endpoint answers what its description does not know. Paths and methods that no endpoint has are
   * nobody's answer and pass; so does what a server answers that is about to end.
   */
  check(method: string, path: string, answer: Answered): void {
    const found = this.#find(method, path)
    if (found === undefined || (answer.status === 503 && !('503' in found.operation.responses))) return
    const said = `${method} ${found.path} answered ${answer.status} ${inspect(answer.text.slice(0, 500))}`
    const described = found.operation.responses[answer.status]
    assert.ok(described, `${said}: its description does not know that status`)
    if (described.content === undefined) return assert.equal(answer.text, '', `${said}: it has no body`)
    const type = answer.contentType?.split(';', 1)[0] ?? ''
    assert.ok(
      type in described.content,
      `${said}: its description does not know ${type || 'no content type'}`,
    )
    if (type !== 'application/json') return
    const pointer = [
      'paths',
      found.path,
      method.toLowerCase(),
      'responses',
      `${answer.status}`,
      'content',
      type,
    ]
    const validate = this.#ajv.getSchema(`description#/${[...pointer, 'schema'].map(escaped).join('/')}`)
    assert.ok(validate, `${said}: its description has no schema for it`)
    // A file of JSON is described as a file.
    const isFile = (validate.schema as { format?: string }).format === 'binary'
    assert.ok(
      isFile || validate(JSON.parse(answer.text)),
      `${said}: ${this.#ajv.errorsText(validate.errors, { dataVar: 'the body' })}`,
    )
  }

  #find(method: string, path: string) {
    const plain = path.split(/[?#]/, 1)[0] ?? ''
    if (!isRoutable(plain)) return undefined
    for (const route of this.#routes) {
      const operation = this.#document.paths[route.path]?.[method.toLowerCase()]
      if (operation !== undefined && route.pattern.test(plain)) return { path: route.path, operation }
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

/** A step of a JSON pointer within an address. */
const escaped = (step: string) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))

/** Addresses that cannot be decoded, or have endless steps, are refused before it is known whose they are. */
function isRoutable(path: string): boolean {
  if (path.split('/').some((step) => step.length > 16_384)) return false
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
