import { PHOTO_TYPES } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { type AppImageFiles, IMAGE_NAME_PATTERN, IMAGE_PATH, IMAGE_TYPES } from './app-image-files.ts'

/** Requests for images of one address, in relation to other requests: a store page shows many. */
const LIMIT_FACTOR = 20

/** Serves a logo or screenshot. Its name is unguessable and never reused. */
export const getImage = ({ images }: { readonly images: AppImageFiles }) =>
  endpoint({
    method: 'GET',
    url: `${IMAGE_PATH}:image`,
    summary: 'Get the logo or a screenshot of an app',
    tags: ['developer'],
    style: 'coded',
    auth: none,
    schema: {
      params: Type.Object({ image: Type.String({ pattern: IMAGE_NAME_PATTERN }) }),
      response: { 200: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) },
    },
    media: { contentTypes: PHOTO_TYPES },
    errors: ['IMAGE_NOT_FOUND'],
    invalid: 'IMAGE_NOT_FOUND',
    limits: { perMinute: ({ limits }) => limits.requestsPerMinute * LIMIT_FACTOR },
    handler: async ({ params: { image }, reply }) => {
      const file = await images.open(image)
      if (file === undefined) throw fault('IMAGE_NOT_FOUND')
      return reply
        .headers({
          'content-type': IMAGE_TYPES[image.slice(image.lastIndexOf('.') + 1)],
          'content-length': file.size,
          'cache-control': 'public, max-age=31536000, immutable',
        })
        .send(file.stream)
    },
  })
