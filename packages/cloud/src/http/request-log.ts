import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'

/**
 * One line a request, when it is over: method, route pattern, status, time, request id. Never the raw address,
 * whose query may hold keys and e-mails.
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

/** The pattern that took the request, `/api/apps/:packageName`; a fixed word where none did. */
export function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? '(no route)'
}
