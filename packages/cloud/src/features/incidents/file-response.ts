import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { OpenedFile } from './incidents.ts'

/** Schema of the response with a file of an incident. */
export const fileResponse = Type.Unsafe<unknown>({ type: 'string', format: 'binary' })

/** Media type of every file, whichever the phone sent. */
export const FILE_MEDIA = { contentTypes: ['application/octet-stream'] }

/** Sends a file of an incident as an attachment that browsers do not render. */
export function sendFile(reply: FastifyReply, { filename, size, stream }: OpenedFile): FastifyReply {
  return reply
    .headers({
      'content-type': 'application/octet-stream',
      'content-length': size,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`,
      'cache-control': 'private, no-cache',
    })
    .send(stream)
}
