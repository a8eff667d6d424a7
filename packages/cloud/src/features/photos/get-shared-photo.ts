import { PHOTO_TYPES } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { filenameOf } from '../gallery/index.ts'
import type { PhotoEndpointDeps } from './deps.ts'

/** Requests per address: one app server loads the photos of all its users. A wrong signature causes no query. */
const REQUESTS_PER_MINUTE = 3_000

/** Serves a photo at the address that an app received on its socket. The address is the credential. */
export const getSharedPhoto = ({ gallery, links }: PhotoEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/photos/shared/:photoId/:signature',
    summary: 'Get a photo by the address of a photo_response, within five minutes',
    tags: ['photos'],
    style: 'bare',
    auth: none,
    schema: {
      params: Type.Object({
        photoId: Type.String({ pattern: '^[0-9a-z]{1,100}$' }),
        signature: Type.String({ pattern: '^[\\w-]{43}$' }),
      }),
      response: { 200: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) },
    },
    media: { contentTypes: PHOTO_TYPES },
    errors: ['PHOTO_NOT_FOUND', 'GALLERY_FETCH_FAILED'],
    invalid: 'PHOTO_NOT_FOUND',
    failure: 'GALLERY_FETCH_FAILED',
    limits: { perMinute: () => REQUESTS_PER_MINUTE },
    handler: async ({ params: { photoId, signature }, reply }) => {
      const photo = await links.find(photoId, signature)
      const file = photo && (await gallery.open(photo))
      if (!photo || !file) throw fault('PHOTO_NOT_FOUND')
      return reply
        .headers({
          'cache-control': 'private, no-store',
          'content-type': photo.type,
          'content-length': photo.size,
          'content-disposition': `inline; filename="${filenameOf(photo)}"`,
        })
        .send(file.stream)
    },
  })
