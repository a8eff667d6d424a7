import { GALLERY_LISTS, galleryPhoto } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { glassesToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { pageQuery, parsePage, toPage, withLookahead } from '../../http/paging.ts'
import type { Gallery } from './gallery.ts'
import { photoView } from './photo-view.ts'

/** Lists the caller's photos, videos or both, newest first (decision M6). */
export const listPhotos = ({ gallery }: { readonly gallery: Gallery }) =>
  endpoint({
    method: 'GET',
    url: '/api/gallery',
    summary: 'List the photos in the gallery, or its videos',
    tags: ['gallery'],
    style: 'bare',
    auth: glassesToken,
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
  })
