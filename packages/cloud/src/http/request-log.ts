import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'

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
