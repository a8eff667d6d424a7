import type { TestContext } from 'node:test'
import type { ErrorStyle } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { none } from './auth/open-schemes.ts'
import type { SchemeDeps } from './auth/scheme.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { fault } from './fault.ts'
import { createLog } from './log.ts'
import { Metrics } from './metrics.ts'
import { mount } from './mount.ts'
import type { NotFoundPage } from './not-found.ts'
import { probes } from './probes.ts'
import { Readiness } from './readiness.ts'
import { createServer } from './server.ts'

/** Starts an HTTP server with the endpoints of a test and the probes. */
export async function serve(
  t: TestContext,
  endpoints: readonly Endpoint[],
  {
    sendNotFoundPage,
    ...options
  }: { readonly strictTransport?: boolean; readonly sendNotFoundPage?: NotFoundPage } = {},
) {
  const readiness = new Readiness()
  const metrics = new Metrics()
  const lines: Record<string, unknown>[] = []
  const server = createServer({
    log: createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) }),
    metrics,
    strictTransport: false,
    trustProxy: false,
    ...options,
  })
  // The endpoints of these tests need no authentication.
  mount(server, [...endpoints, ...probes({ readiness, metrics })], {} as SchemeDeps, sendNotFoundPage)
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => server.close())
  return {
    url,
    readiness,
    metrics,
    /** Returns the log lines of completed requests. */
    requestLines: () => lines.filter(({ msg }) => msg === 'request'),
    lines,
    request: (path: string, init?: RequestInit) => request(url + path, init),
  }
}

/** Sends a request. @returns the response; `body` is the parsed JSON, or the text if it is not JSON */
async function request(url: string, init: RequestInit = {}) {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(20_000) })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parseJsonOrText(text) }
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Creates a request with a JSON body; a string is sent unchanged. */
export function jsonRequest(body: unknown, method = 'POST'): RequestInit {
  return {
    method,
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }
}

/** Creates an endpoint that validates each part: `POST /api/things/:id?limit=` with `{ name, size?, parts? }`. */
export function createThingsEndpoint(style: ErrorStyle, overrides: Partial<Endpoint> = {}): Endpoint {
  const thing = endpoint({
    method: 'POST',
    url: ['/api/things/:id', '/things/:id'],
    summary: 'A thing',
    tags: ['test'],
    style,
    auth: none,
    schema: {
      params: Type.Object({ id: Type.String() }),
      querystring: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })) }),
      headers: Type.Object({ 'x-deep': Type.Optional(Type.Boolean()) }),
      body: Type.Object({
        name: Type.String({ minLength: 1 }),
        size: Type.Optional(Type.Number()),
        parts: Type.Optional(Type.Array(Type.String())),
      }),
      response: {
        200: Type.Object({ id: Type.String(), limit: Type.Optional(Type.Number()), name: Type.String() }),
      },
    },
    errors: ['APP_NOT_FOUND'],
    handler: async ({ params: { id }, query, body }) => {
      if (id === 'missing')
        throw fault('APP_NOT_FOUND', { extra: { hint: 'look', success: true, error: 'x' } })
      if (id === 'broken') throw new TypeError('the secret innards')
      const { limit } = query
      const hidden = { apiKeyHash: 'not for you' }
      return { id, name: body.name, ...(limit === undefined ? {} : { limit }), ...hidden }
    },
  })
  return { ...thing, ...overrides }
}
