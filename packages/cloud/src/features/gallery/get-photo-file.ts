import { GALLERY_TYPES } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { glassesToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { parseRange } from './byte-range.ts'
import type { Gallery } from './gallery.ts'
import { filenameOf } from './photo.ts'
import { photoPath } from './photo-path.ts'

const file = Type.Unsafe<unknown>({ type: 'string', format: 'binary' })

/** Serves the file of a photo to its owner; other users receive 404. */
export const getPhotoFile = ({ gallery }: { readonly gallery: Gallery }) =>
  endpoint({
    method: 'GET',
    url: '/api/gallery/:photoId/file',
    summary: 'Get the file of a photo, or a range of it',
    tags: ['gallery'],
    style: 'bare',
    auth: glassesToken,
    schema: {
      params: photoPath,
      headers: Type.Object({
        range: Type.Optional(Type.String()),
        'if-range': Type.Optional(Type.String()),
        'if-none-match': Type.Optional(Type.String()),
      }),
      response: {
        200: file,
        206: { ...file, description: 'The requested range' },
        304: Type.Null({ description: 'If-None-Match contains the current ETag' }),
      },
    },
    media: { contentTypes: GALLERY_TYPES },
    errors: ['PHOTO_NOT_FOUND', 'RANGE_NOT_SATISFIABLE', 'GALLERY_FETCH_FAILED'],
    invalid: 'PHOTO_NOT_FOUND',
    failure: 'GALLERY_FETCH_FAILED',
    handler: async ({ caller: { user }, params, headers, log, reply }) => {
      const photo = await gallery.find(params.photoId)
      if (photo?.userId !== user.id) throw fault('PHOTO_NOT_FOUND')
      // The content of a photo never changes, so its id serves as ETag.
      const etag = `"${photo.id}"`
      reply.headers({ etag, 'cache-control': 'private, no-cache', 'accept-ranges': 'bytes' })
      if (includesEtag(headers['if-none-match'], etag)) return reply.code(304).send()
      const isRangeCurrent = headers['if-range'] === undefined || headers['if-range'] === etag
      const range = isRangeCurrent ? parseRange(headers.range, photo.size) : undefined
      if (range === 'unsatisfiable') {
        reply.header('content-range', `bytes */${photo.size}`)
        throw fault('RANGE_NOT_SATISFIABLE')
      }
      const file = await gallery.open(photo, range)
      if (file === undefined) {
        log.error({ photo: photo.id }, 'gallery: the file of a photo is missing')
        throw fault('PHOTO_NOT_FOUND')
      }
      if (range !== undefined) {
        const { start, end } = range
        reply.code(206).header('content-range', `bytes ${start}-${end}/${photo.size}`)
      }
      return reply
        .headers({
          'content-type': photo.type,
          'content-length': range === undefined ? photo.size : range.end - range.start + 1,
          'content-disposition': `inline; filename="${filenameOf(photo)}"`,
        })
        .send(file.stream)
    },
  })

/** Whether an `If-None-Match` header matches the ETag, weak or strong. */
function includesEtag(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((candidate) => ['*', etag, `W/${etag}`].includes(candidate.trim()))
}
