import type { FastifyReply, FastifyRequest } from 'fastify'
import { fault } from '../../http/fault.ts'
import { type Gallery, type Reservation, UserDeletedError } from '../gallery/index.ts'

/** Time after which a client with too many uploads may try again. */
const RETRY_AFTER_SECONDS = 5

/**
 * Reserves space for the file of a form, by the announced length of the request, before the form is read.
 * @param maxBytes limit of the file
 * @throws Fault `TOO_MANY_UPLOADS`, `UNAUTHORIZED` if the user is being deleted; DiskFullError
 */
export async function reserveSpace(
  gallery: Gallery,
  userId: string,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  maxBytes: number,
): Promise<Reservation> {
  const announced = Number(request.headers['content-length'] ?? maxBytes)
  try {
    const reservation = await gallery.reserve(userId, 'upload', Math.min(announced, maxBytes))
    if (reservation !== undefined) return reservation
  } catch (error) {
    throw error instanceof UserDeletedError ? fault('UNAUTHORIZED') : error
  }
  void reply.header('retry-after', RETRY_AFTER_SECONDS)
  throw fault('TOO_MANY_UPLOADS')
}
