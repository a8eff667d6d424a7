import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'

const REQUEST_ID_PATTERN = /^[A-Za-z0-9._:-]{1,64}$/

/** Returns the `X-Request-Id` of the request if it is safe to log, otherwise a new id. */
export function requestIdOf(request: IncomingMessage): string {
  const header = request.headers['x-request-id']
  return typeof header === 'string' && REQUEST_ID_PATTERN.test(header) ? header : randomUUID()
}

/**
 * Logs each request at its end: method, route pattern, status, duration and request id. Never the URL, whose query may
 * contain keys and e-mail addresses.
 */
export class RequestLog extends fastify.LogController {
  constructor() {
    super({ requestIdLogLabel: 'requestId' })
  }

  override incomingRequest(): void {}

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const line = {
      method: request.method,
      route: routeOf(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(request.faultCode ? { code: request.faultCode } : {}),
    }
    if (error) request.log.error({ ...line, err: error }, 'request')
    else request.log.info(line, 'request')
  }

  override defaultErrorLog(): void {}

  override routeNotFound(): void {}
}

/** Returns the route pattern of a request, such as `/api/apps/:packageName`, or `(no route)`. */
export function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? '(no route)'
}

type Fields = Readonly<Record<string, unknown>>
type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'

/**
 * The logger of a request, which adds the fields that identify the request to each line. A child logger of pino would
 * serialize and redact them when it is created, for every request and even without a line.
 */
export class RequestLogger {
  readonly #log: FastifyBaseLogger
  readonly #fields: Fields

  constructor(log: FastifyBaseLogger, fields: Fields) {
    this.#log = log
    this.#fields = fields
  }

  get level(): string {
    return this.#log.level
  }

  fatal(...line: unknown[]): void {
    this.#write('fatal', line)
  }

  error(...line: unknown[]): void {
    this.#write('error', line)
  }

  warn(...line: unknown[]): void {
    this.#write('warn', line)
  }

  info(...line: unknown[]): void {
    this.#write('info', line)
  }

  debug(...line: unknown[]): void {
    this.#write('debug', line)
  }

  trace(...line: unknown[]): void {
    this.#write('trace', line)
  }

  silent(): void {}

  child(fields: Fields, options?: Parameters<FastifyBaseLogger['child']>[1]): FastifyBaseLogger {
    return this.#log.child({ ...this.#fields, ...fields }, options)
  }

  /** Accepts what pino does: fields or an error, then a message; or a message alone. */
  #write(level: Level, [first, ...rest]: unknown[]): void {
    const fields = first instanceof Error ? { err: first } : first
    if (typeof fields === 'object') this.#log[level]({ ...this.#fields, ...fields }, ...(rest as [string]))
    else this.#log[level](this.#fields, ...([first, ...rest] as [string]))
  }
}
