import type { ServerOptions as HttpOptions, Server } from 'node:http'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import type { TlsOptions } from 'node:tls'
import { hasTooManyKeys, MAX_JSON_KEYS, nestsDeeperThan } from '@glasses-cloud/contract'
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyRequest,
} from 'fastify'
import type { Span, Tracing } from '../tracing/index.ts'
import type { Endpoint } from './endpoint.ts'
import { handleError } from './error-handler.ts'
import { fault } from './fault.ts'
import type { Metrics } from './metrics.ts'
import { discardRest, MAX_ARRIVAL_MS } from './mount.ts'
import { RequestLog, RequestLogger, requestIdOf, routeOf } from './request-log.ts'
import { simplifyTargets } from './request-target.ts'
import { JSON_NULL, validatorCompiler } from './validation.ts'

/** Maximum nesting of JSON bodies, so that recursive code cannot exhaust the stack. */
const MAX_DEPTH = 64

/**
 * Adds parsers of JSON bodies. For endpoints without a body, any body within the size limit is read and ignored: clients
 * of this ecosystem send `Content-Type: application/json` with an empty body.
 */
function addBodyParsers(server: FastifyInstance): void {
  const parseJson = server.getDefaultJsonParser('error', 'error')
  const parseVerbatim = server.getDefaultJsonParser('ignore', 'ignore')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    const text = String(body)
    if (hasTooManyKeys(text)) return hasBody(request) ? done(tooManyKeys()) : done(null, undefined)
    // Older apps send `packageName` in the body of endpoints that have none, so parse it anyway.
    const parse = request.routeOptions.config.endpoint?.verbatimKeys ? parseVerbatim : parseJson
    parse(request, text, (error, value) => {
      if (!hasBody(request)) return error === null ? done(null, value) : done(null, undefined)
      if (error === null && nestsDeeperThan(value, MAX_DEPTH)) return done(tooDeep())
      done(error, value === null ? JSON_NULL : value)
    })
  })
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0 || !hasBody(request)) done(null, undefined)
    else done(fault('UNSUPPORTED_MEDIA_TYPE'))
  })
}

const tooDeep = () => fault('BAD_REQUEST', { message: `The body is nested deeper than ${MAX_DEPTH} levels` })

const tooManyKeys = () =>
  fault('PAYLOAD_TOO_LARGE', { message: `The body has more than ${MAX_JSON_KEYS} different keys` })

function hasBody(request: FastifyRequest): boolean {
  return request.routeOptions.schema?.body !== undefined
}

/** Requests of programs that ask all the time, and responses that last as long as a page is open. */
const UNTRACED = /^(?:\/healthz|\/readyz|\/metrics|.*\/(?:stream|events))$/

/**
 * Records a span for each request, in which its handler runs. A `traceparent` of the client is ignored: anybody could
 * make the cloud record, and mix what others see.
 */
function traceRequests(server: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  server.addHook('onRequest', (request, _, done) => {
    const route = routeOf(request)
    if (UNTRACED.test(route)) return done()
    const attributes = { 'http.request.method': request.method, 'http.route': route }
    const span = tracing.start('http.request', { kind: 'server', parent: undefined, attributes })
    spans.set(request, span)
    tracing.within(span.context, done)
  })
  // The body arrives outside of it.
  server.addHook('preValidation', (request, _, done) => tracing.within(spans.get(request)?.context, done))
  server.addHook('onResponse', async (request, { statusCode }) => {
    const span = spans.get(request)
    span?.set({ 'http.response.status_code': statusCode })
    span?.end(statusCode >= 500 ? String(statusCode) : undefined)
  })
}

const require = createRequire(import.meta.url)

/**
 * Serializes responses with only the fields that their schema declares (HTTP-20), as Fastify does by default. Compiles a
 * serializer at its first use, which keeps the start fast.
 */
export function serializerCompiler({ schema }: { readonly schema?: unknown }): (response: unknown) => string {
  let serialize: ((response: unknown) => string) | undefined
  return (response) => {
    serialize ??= compileSerializer(schema)
    return serialize(response)
  }
}

function compileSerializer(schema: unknown): (response: unknown) => string {
  const build: typeof import('fast-json-stringify').default = require('fast-json-stringify')
  return build(schema as Parameters<typeof build>[0])
}

declare module 'fastify' {
  interface FastifyInstance {
    /** All mounted endpoints. */
    endpoints: readonly Endpoint[]
  }
}

/** Largest request body in bytes (decision L4). */
const BODY_LIMIT_BYTES = 1024 * 1024

/**
 * Time after which a connection without requests is closed: longer than proxies keep theirs (60 s or 2 min), because a
 * request that a proxy sends on a connection while the server closes it is lost.
 */
const KEEP_ALIVE_MS = 150_000

interface ServerOptions {
  readonly log: FastifyBaseLogger
  readonly metrics: Metrics
  /** Default: requests are not traced. */
  readonly tracing?: Tracing | undefined
  /** Serves HTTPS with these options; undefined: plain HTTP. */
  readonly tls?: TlsOptions | undefined
  /** Whether browsers are to use HTTPS only. */
  readonly strictTransport: boolean
  /** Path below which it is served, without a trailing slash. Default: a host of its own. */
  readonly basePath?: string
  /** Proxies whose `X-Forwarded-*` headers are trusted: none, all, or the listed addresses. */
  readonly trustProxy: boolean | string[]
}

const HTTP_OPTIONS: HttpOptions = {
  // Some clients offer an upgrade to HTTP/2 with every request; a response in HTTP/1.1 declines it.
  shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
  headersTimeout: 10_000,
  // How often Node checks for slow requests.
  connectionsCheckingInterval: 5_000,
  // `GET /api/tts` has up to 5,000 characters of text in the query, each encoded as up to %F0%9F%98%80.
  maxHeaderSize: 80 * 1024,
}

/** Creates the server without endpoints, which `mount` adds. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { metrics, tls, tracing } = options
  const headers = securityHeaders(options.strictTransport)
  const server = fastify({
    loggerInstance: options.log,
    logController: new RequestLog(),
    childLoggerFactory: (log, fields) => new RequestLogger(log, fields),
    genReqId: requestIdOf,
    trustProxy: options.trustProxy,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: MAX_ARRIVAL_MS,
    // Closes connections without traffic, including those whose client does not read the response.
    connectionTimeout: 60_000,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // What arrives during the shutdown is served: a proxy that sent it to this node has no other answer.
    return503OnClosing: false,
    ...(tls ? { https: { ...HTTP_OPTIONS, ...tls } as never } : { http: HTTP_OPTIONS }),
    // The router's default limit protects regular expressions in paths, which are not used here.
    routerOptions: { maxParamLength: 16_384, ignoreTrailingSlash: true },
    // Without these, Fastify loads its default compilers, which takes 100 ms at each start.
    schemaController: {
      compilersFactory: {
        // The type supports Ajv only.
        buildValidator: () => validatorCompiler as never,
        buildSerializer: () => serializerCompiler,
      },
    },
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...headers, 'x-request-id': request.id })
      handleError(error, request, reply)
    },
    clientErrorHandler: rejectConnection,
  })
  simplifyTargets(server.server as Server, options.basePath ?? '')
  server.setErrorHandler<FastifyError>(handleError)
  addBodyParsers(server)
  server.decorate('limitUnrouted', null)
  server.decorateRequest('auth', null)
  server.decorateRequest('faultCode', null)

  const endpoints: Endpoint[] = []
  server.addHook('onRoute', ({ config }) => {
    if (config?.endpoint !== undefined && !endpoints.includes(config.endpoint))
      endpoints.push(config.endpoint)
  })
  server.decorate('endpoints', endpoints)
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(headers).header('x-request-id', request.id)
  })
  if (tracing?.isOn) traceRequests(server, tracing)
  server.addHook('onResponse', async (request, reply) => {
    discardRest(request)
    metrics.request(request.method, routeOf(request), reply.statusCode, reply.elapsedTime / 1000)
  })
  return server
}

const CONNECTION_ERRORS: Readonly<Record<string, [status: string, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request headers are too large'],
}

/** Responds to an invalid or incomplete HTTP request and closes the connection. */
function rejectConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, message] = CONNECTION_ERRORS[error.code ?? ''] ?? ['400 Bad Request', 'Invalid request']
  const body = JSON.stringify({ error: message })
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close`
  socket.end(`${head}\r\n\r\n${body}`, () => socket.destroy())
}

/**
 * Returns the headers of every response. Endpoints that serve pages or cacheable files override them.
 * @param strictTransport adds `Strict-Transport-Security`
 */
function securityHeaders(strictTransport: boolean): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(strictTransport ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}
