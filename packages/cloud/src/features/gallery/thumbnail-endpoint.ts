import { PHOTO_TYPES, RECORDING_TYPE } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { common, file, includesEtag, photoId } from './endpoint-parts.ts'
import type { Gallery } from './gallery.ts'
import { THUMBNAIL_SIZES } from './photo-keys.ts'
import type { Thumbnails } from './thumbnails.ts'

/** Requests for thumbnails of a user, in relation to other requests: a page of the gallery shows many. */
const LIMIT_FACTOR = 20

export interface GalleryEndpointDeps {
  readonly gallery: Gallery
  readonly thumbnails: Thumbnails
}

/** Serves a reduced photo to its owner; the photo itself where it cannot be reduced. */
export const thumbnailEndpoint = ({ gallery, thumbnails }: GalleryEndpointDeps): Endpoint =>
  endpoint({
    ...common,
    style: 'coded',
    method: 'GET',
    url: '/api/gallery/:photoId/thumbnails/:size',
    summary: 'Get a photo reduced to a longer side of 160, 480 or 1600 pixels',
    schema: {
      params: Type.Object({ photoId, size: Type.Enum(THUMBNAIL_SIZES.map(String)) }),
      headers: Type.Object({ 'if-none-match': Type.Optional(Type.String()) }),
      response: { 200: file, 304: Type.Null({ description: 'If-None-Match contains the current ETag' }) },
    },
    media: { contentTypes: PHOTO_TYPES },
    errors: ['PHOTO_NOT_FOUND', 'GALLERY_FETCH_FAILED'],
    failure: 'GALLERY_FETCH_FAILED',
    invalid: 'PHOTO_NOT_FOUND',
    limits: { perMinute: ({ limits }) => limits.requestsPerMinute * LIMIT_FACTOR },
    handler: async ({ caller: { user }, params, headers, reply }) => {
      const photo = await gallery.find(params.photoId)
      const size = THUMBNAIL_SIZES.find((each) => String(each) === params.size)
      if (photo?.userId !== user.id || photo.type === RECORDING_TYPE || size === undefined)
        throw fault('PHOTO_NOT_FOUND')
      const known = headers['if-none-match']
      // Asked for each time, so that a browser shows nothing that was deleted, or of a user who signed out.
      reply.header('cache-control', 'private, no-cache')
      const [etag, etagOfOriginal] = [`"${photo.id}.${size}"`, `"${photo.id}"`]
      if (includesEtag(known, etag)) return reply.header('etag', etag).code(304).send()
      const thumbnail = await thumbnails.open(photo, size)
      if (thumbnail !== undefined)
        return reply.headers({ 'content-type': 'image/webp', etag }).send(thumbnail)
      reply.header('etag', etagOfOriginal)
      if (includesEtag(known, etagOfOriginal)) return reply.code(304).send()
      const original = await gallery.open(photo)
      if (original === undefined) throw fault('PHOTO_NOT_FOUND')
      return reply
        .headers({ 'content-type': photo.type, 'content-length': original.size })
        .send(original.stream)
    },
  })
