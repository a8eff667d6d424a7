import type { FastifyReply, FastifyRequest } from 'fastify'

/** Longest time in ms a request may take to arrive, its body included (HTTP-17). */
const DEFAULT_ARRIVAL_MS = 30_000

/** The longest time any endpoint may grant: Node cuts off what takes longer, whatever it is. */
export const MAX_ARRIVAL_MS = 180_000

/** Cuts a request off, as Node itself does, whose body is not all there in time and which has no answer yet. */
export function limitArrivalTime(
  { raw, server, socket }: FastifyRequest,
  reply: FastifyReply,
  ms = DEFAULT_ARRIVAL_MS,
): void {
  if (raw.complete) return
  const late = setTimeout(() => {
    const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    if (!raw.complete) server.server.emit('clientError', error, socket)
  }, ms)
  reply.raw.once('close', () => clearTimeout(late))
}
