import assert from 'node:assert/strict'
import { parseManifest, parseManifestChanges } from '@glasses-cloud/contract'
import type { TSchema } from 'typebox'
import { none } from '../../../src/http/auth/index.ts'
import { type Endpoint, urlsOf } from '../../../src/http/endpoint.ts'
import { fault } from '../../../src/http/fault.ts'
import { startCloud } from '../../support/test-cloud.ts'
import { INTERNALS, serveEndpoints } from '../server.ts'
import type { FuzzTarget } from '../target.ts'

/** The first line of an input names an endpoint and a content type. */
const LINE = /^(\S+ \S+) ?([^\n\r]*)\n/

/** Returns the endpoints of the cloud that read a body, without authentication and without effect, by their names. */
async function endpointsWithBodies(): Promise<Map<string, Endpoint>> {
  const steps: (() => unknown)[] = []
  const { cloud } = await startCloud({ after: (step) => void steps.push(step) })
  const found = new Map<string, Endpoint>()
  for (const { method, style, schema, invalid, limits, verbatimKeys, ...endpoint } of cloud.server
    .endpoints) {
    const { body } = schema
    if (body === undefined || limits?.form !== undefined) continue
    const name = `${method} ${urlsOf({ method, style, schema, ...endpoint })[0]}`
    found.set(name, {
      method: 'POST',
      url: `/endpoint/${found.size}`,
      ...{
        summary: '',
        tags: [],
        style,
        auth: none,
        errors: [],
        limits: { ...limits, perMinute: 'unlimited' },
      },
      schema: { body, response: {} },
      ...(invalid !== undefined && { invalid }),
      ...(verbatimKeys !== undefined && { verbatimKeys }),
      handler: async ({ body: received }) => {
        checkManifest(received)
        throw fault('NOT_FOUND')
      },
    })
  }
  for (const step of steps.reverse()) await step()
  return found
}

/** A manifest that is accepted is accepted again as it was read. */
function checkManifest(body: unknown): void {
  const parsed = parseManifest(body)
  if (parsed.ok) assert.deepEqual(parseManifest(parsed.manifest), parsed)
  else assert.ok(parsed.problems.length > 0)
  parseManifestChanges(body, { packageName: 'a.b', name: 'x', publicUrl: 'https://example.org' })
}

interface Keywords {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly TSchema[]
  readonly allOf?: readonly TSchema[]
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
  readonly minimum?: number
}

/** Returns a value that is about as a schema requires. */
function exampleOf(schema: TSchema | undefined): unknown {
  const { type, anyOf, allOf, properties, items, minimum = 1, ...keywords } = (schema ?? {}) as Keywords
  if (keywords.const !== undefined) return keywords.const
  if (keywords.enum) return keywords.enum[0]
  if (anyOf) return exampleOf(anyOf[0])
  if (allOf) return Object.assign({}, ...allOf.map(exampleOf))
  if (type === 'string') return 'a.b'
  if (type === 'boolean') return true
  if (type === 'number' || type === 'integer') return minimum
  if (type === 'array') return [exampleOf(items)]
  return Object.fromEntries(Object.entries(properties ?? {}).map(([name, inner]) => [name, exampleOf(inner)]))
}

const MANIFEST = {
  packageName: 'org.example.app',
  name: 'App',
  publicUrl: 'https://example.org',
  permissions: [{ type: 'MICROPHONE', description: 'x' }],
  settings: [{ type: 'toggle', key: 'a', label: 'A', defaultValue: true }],
  tools: [{ id: 'a', description: 'x', activationPhrases: ['a'], parameters: {} }],
  hardwareRequirements: [{ type: 'CAMERA', level: 'REQUIRED' }],
}

/** Bodies of all REST endpoints: parsing, validation, and the responses to what is invalid. */
export const target: FuzzTarget = {
  maxBytes: 4 * 1024,
  async open() {
    const endpoints = await endpointsWithBodies()
    const server = await serveEndpoints([...endpoints.values()])
    const properties = new Set<string>()
    const seeds = [...endpoints].map(([name, { schema }]) => {
      const { body } = schema
      for (const property of Object.keys((body as { properties?: object }).properties ?? {}))
        properties.add(property)
      return `${name}\n${JSON.stringify(exampleOf(body))}`
    })
    return {
      seeds: [...seeds, `POST /api/console/apps\n${JSON.stringify(MANIFEST)}`],
      dictionary: [
        ...[...properties, ...Object.keys(MANIFEST)].map((property) => `"${property}":`),
        ...[
          '"__proto__":{}',
          '"constructor":{"prototype":1}',
          'null',
          'true',
          '-1',
          '1e400',
          '[',
          ']',
          '{',
          '}',
          ',',
          '""',
        ],
        ...[
          '"\\u0000"',
          '"\\ud800"',
          '"a@b.c"',
          '"https://x"',
          '"2026-01-01T00:00:00Z"',
          ' text/plain\n',
          ' a/b; c=d\n',
        ],
      ],
      async run(input) {
        const text = input.toString('latin1')
        const [head = '', name = '', contentType = ''] = LINE.exec(text) ?? []
        const endpoint = endpoints.get(name)
        if (endpoint === undefined) return
        const response = await server.inject({
          method: 'POST',
          url: String(endpoint.url),
          headers: { 'content-type': contentType.replaceAll(/[^ -~]/g, '') || 'application/json' },
          payload: input.subarray(head.length),
        })
        assert.ok(
          [400, 404, 409, 413, 415].includes(response.statusCode),
          `${response.statusCode} ${response.body}`,
        )
        const shown = INTERNALS.exec(response.body)?.[0]
        assert.ok(shown === undefined || text.includes(shown), response.body)
        assert.ok(response.body.length < 10_000, 'the response is short')
        assert.equal(typeof response.json(), 'object')
      },
      close: () => server.close(),
    }
  },
}
