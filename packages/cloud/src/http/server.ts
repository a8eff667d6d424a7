import type { Socket } from 'node:net'
import fastify, { type FastifyBaseLogger, type FastifyError, type FastifyInstance } from 'fastify'
import { MAX_ARRIVAL_MS } from './arrival.ts'
import { addBodyParsers } from './body-parsers.ts'
import type { Endpoint } from './endpoint.ts'
import { handleError } from './error-handler.ts'
import type { Metrics } from './metrics.ts'
import { createNotFoundHandler } from './not-found.ts'
import { requestIdOf } from './request-id.ts'
import { RequestLog, routeOf } from './request-log.ts'
import { securityHeaders } from './security-headers.ts'
import { serializerCompiler } from './serialization.ts'
import { validatorCompiler } from './validation.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What is mounted on it. */
    endpoints: readonly Endpoint[]
  }
}

/** Largest request body in bytes (decision L4). */
const BODY_LIMIT_BYTES = 1024 * 1024

/** What the HTTP server is built from. */
export interface ServerOptions {
  readonly log: FastifyBaseLogger
  readonly metrics: Metrics
  /** Whether clients come over HTTPS. */
  readonly secure: boolean
  /** Whose `X-Forwarded-*` headers count: nobody's, everybody's, or those of the listed addresses. */
  readonly trustProxy: boolean | string[]
}

/** Makes the HTTP server: everything around the endpoints, which `mount` adds. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { metrics } = options
  const headers = securityHeaders(options.secure)
  const server = fastify({
    loggerInstance: options.log,
    logController: new RequestLog(),
    genReqId: requestIdOf,
    trustProxy: options.trustProxy,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: MAX_ARRIVAL_MS,
    // A connection on which nothing moves for this long is closed, answers that nobody reads included.
    connectionTimeout: 60_000,
    http: {
      // Some clients offer an upgrade to HTTP/2 with every request; it is declined by answering in HTTP/1.1.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
      headersTimeout: 10_000,
      // Node looks for slow requests only this often.
      connectionsCheckingInterval: 5_000,
      // A text to be spoken comes in the address: 5,000 characters, the longest of them written as %F0%9F%98%80.
      maxHeaderSize: 80 * 1024,
    },
    // The router's own limit guards patterns in paths, which we do not use; Node bounds the whole head.
    routerOptions: { maxParamLength: 16_384, ignoreTrailingSlash: true },
    // Named here, Fastify does not load compilers of its own, a tenth of a second's worth at every start.
    schemaController: {
      compilersFactory: {
        // Its type knows Ajv only.
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
  const notFound = createNotFoundHandler(() => endpoints)
  server.setNotFoundHandler(notFound)

  server.addHook('onRequest', async (request, reply) => {
    reply.headers(headers).header('x-request-id', request.id)
    // Nobody waits for the body of what no route takes.
    if (request.is404) return notFound(request, reply)
  })
  server.addHook('onResponse', async (request, reply) => {
    metrics.request(request.method, routeOf(request), reply.statusCode, reply.elapsedTime / 1000)
  })
  return server
}

const CONNECTION_ERRORS: Readonly<Record<string, [status: string, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request headers are too large'],
}

/** Answers what is no HTTP request, or not all of one, and cuts the connection. */
function rejectConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, message] = CONNECTION_ERRORS[error.code ?? ''] ?? ['400 Bad Request', 'Invalid request']
  const body = JSON.stringify({ error: message })
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close`
  socket.end(`${head}\r\n\r\n${body}`, () => socket.destroy())
}
