import type { FastifyReply, FastifyRequest } from 'fastify'

/** Default time within which a request must arrive, including its body (HTTP-17). */
const DEFAULT_ARRIVAL_MS = 30_000

/** Maximum of what an endpoint may allow; Node aborts any request that takes longer. */
export const MAX_ARRIVAL_MS = 180_000

/** Aborts the request with 408, as Node does, if its body is incomplete after `ms` and no response was sent. */
export function limitArrivalTime(
  { raw, server, socket }: FastifyRequest,
  reply: FastifyReply,
  ms = DEFAULT_ARRIVAL_MS,
): void {
  // A closed connection emits no `close` again.
  if (raw.complete || raw.destroyed) return
  const late = setTimeout(() => {
    const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    if (!raw.complete) server.server.emit('clientError', error, socket)
  }, ms)
  reply.raw.once('close', () => clearTimeout(late))
}

/**
 * Reads what has not arrived of a request that was answered early, within {@link MAX_ARRIVAL_MS}, so that the next request
 * of its connection can be read. Node does so only if nobody has read a part of the body.
 */
export function discardRest({ raw }: FastifyRequest): void {
  if (raw.complete || raw.destroyed) return
  raw.unpipe()
  raw.resume()
}
