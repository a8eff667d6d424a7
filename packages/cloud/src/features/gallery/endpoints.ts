import {
  GALLERY_LISTS,
  GALLERY_TYPES,
  type GalleryPhoto,
  galleryPhoto,
  PHOTO_TYPES,
  RECORDING_TYPE,
} from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { glassesToken } from '../../http/auth/index.ts'
import { PARTIAL_CONTENT, RANGE_HEADERS, sendContent } from '../../http/content.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { pageQuery, parsePage, toPage, withLookahead } from '../../http/paging.ts'
import type { Gallery } from './gallery.ts'
import { filenameOf, type Photo, THUMBNAIL_SIZES } from './photo.ts'
import type { Thumbnails } from './thumbnails.ts'

/** Content of a file. */
const file = Type.Unsafe<unknown>({ type: 'string', format: 'binary' })

/** Pattern of the path parameter of a photo. Endpoints return 404, not 400, for an id that does not match it. */
const photoId = Type.String({ pattern: '^[0-9a-z]{1,100}$' })

/** What the endpoints of the gallery have in common. */
const common = { tags: ['gallery'], style: 'bare', auth: glassesToken } as const

/** Whether an `If-None-Match` header matches the ETag, weak or strong. */
function includesEtag(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((candidate) => ['*', etag, `W/${etag}`].includes(candidate.trim()))
}

/** Requests for thumbnails of a user, in relation to other requests: a page of the gallery shows many. */
const LIMIT_FACTOR = 20

interface GalleryEndpointDeps {
  readonly gallery: Gallery
  readonly thumbnails: Thumbnails
}

/** Serves a reduced photo to its owner; the photo itself where it cannot be reduced. */
const thumbnailEndpoint = ({ gallery, thumbnails }: GalleryEndpointDeps): Endpoint =>
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

/** Path of a photo. */
const photoPath = Type.Object({ photoId })

export const galleryEndpoints = ({ gallery, thumbnails }: GalleryEndpointDeps): Endpoint[] => [
  thumbnailEndpoint({ gallery, thumbnails }),
  // Lists the caller's photos, videos or both, newest first (decision M6).
  endpoint({
    ...common,
    method: 'GET',
    url: '/api/gallery',
    summary: 'List the photos in the gallery, or its videos',
    schema: {
      querystring: Type.Object({
        ...pageQuery,
        type: Type.Optional(
          Type.Enum(GALLERY_LISTS, { description: 'Images (the default), videos, or both' }),
        ),
      }),
      response: { 200: Type.Object({ success: Type.Literal(true), photos: Type.Array(galleryPhoto) }) },
    },
    errors: ['GALLERY_FETCH_FAILED'],
    failure: 'GALLERY_FETCH_FAILED',
    handler: async ({ caller: { user }, query, request, reply }) => {
      const page = parsePage(query)
      const photos = await gallery.list(user.id, { ...withLookahead(page), only: query.type ?? 'image' })
      const visible = toPage(photos, page, ({ id }) => id, { request, reply })
      return { success: true as const, photos: visible.map((photo) => photoView(photo, user.email)) }
    },
  }),
  endpoint({
    ...common,
    method: 'DELETE',
    url: '/api/gallery/:photoId',
    summary: 'Delete a photo from the gallery',
    schema: {
      params: photoPath,
      response: { 200: Type.Object({ success: Type.Literal(true), message: Type.String() }) },
    },
    errors: ['PHOTO_NOT_FOUND', 'PHOTO_NOT_YOURS', 'PHOTO_DELETE_FAILED'],
    invalid: 'PHOTO_NOT_FOUND',
    failure: 'PHOTO_DELETE_FAILED',
    handler: async ({ caller: { user }, params }) => {
      const photo = await gallery.find(params.photoId)
      if (photo === undefined) throw fault('PHOTO_NOT_FOUND')
      if (photo.userId !== user.id) throw fault('PHOTO_NOT_YOURS')
      if (!(await gallery.delete(photo))) throw fault('PHOTO_NOT_FOUND')
      return { success: true as const, message: 'Photo deleted successfully' }
    },
  }),
  endpoint({
    ...common,
    method: 'GET',
    url: '/api/gallery/:photoId/file',
    summary: 'Get the file of a photo, or a range of it',
    schema: {
      params: photoPath,
      headers: Type.Object({
        ...RANGE_HEADERS,
        'if-none-match': Type.Optional(Type.String()),
      }),
      response: {
        200: file,
        ...PARTIAL_CONTENT,
        304: Type.Null({ description: 'If-None-Match contains the current ETag' }),
      },
    },
    media: { contentTypes: GALLERY_TYPES },
    errors: ['PHOTO_NOT_FOUND', 'RANGE_NOT_SATISFIABLE', 'GALLERY_FETCH_FAILED'],
    failure: 'GALLERY_FETCH_FAILED',
    invalid: 'PHOTO_NOT_FOUND',
    handler: async ({ caller: { user }, params, headers, log, request, reply }) => {
      const photo = await gallery.find(params.photoId)
      if (photo?.userId !== user.id) throw fault('PHOTO_NOT_FOUND')
      // The content of a photo never changes, so its id serves as ETag.
      const etag = `"${photo.id}"`
      reply.headers({ etag, 'cache-control': 'private, no-cache' })
      if (includesEtag(headers['if-none-match'], etag)) return reply.code(304).send()
      return sendContent(request, reply, {
        size: photo.size,
        etag,
        async open(range) {
          const file = await gallery.open(photo, range)
          if (file === undefined) {
            log.error({ photo: photo.id }, 'gallery: the file of a photo is missing')
            throw fault('PHOTO_NOT_FOUND')
          }
          reply.headers({
            'content-type': photo.type,
            'content-disposition': `inline; filename="${filenameOf(photo)}"`,
          })
          return file.stream
        },
      })
    },
  }),
]

/** Returns a photo as `GET /api/gallery` lists it. */
export function photoView(photo: Photo, userEmail: string): GalleryPhoto {
  const { requestId, origin, packageName } = photo
  return {
    _id: photo.id,
    userId: photo.userId,
    userEmail,
    filename: filenameOf(photo),
    uploadedAt: new Date(photo.uploadedAt).toISOString(),
    size: photo.size,
    mimeType: photo.type,
    metadata: { requestId, origin, ...(packageName === null ? {} : { packageName }) },
  }
}
