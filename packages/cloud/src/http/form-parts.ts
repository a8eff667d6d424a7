import type { Multipart } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { fault } from './fault.ts'

/**
 * Reads the parts of a multipart form. Handlers use it instead of `request.parts()`, which never ends on a connection that
 * was closed before it was called.
 * @throws Fault `BAD_REQUEST` if the connection was closed
 */
export function formParts(request: FastifyRequest): AsyncIterableIterator<Multipart> {
  if (request.raw.destroyed) throw fault('BAD_REQUEST', { message: 'The form could not be read' })
  return request.parts()
}
