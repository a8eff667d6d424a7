import { Type } from 'typebox'
import { glassesToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { Gallery } from './gallery.ts'
import { photoPath } from './photo-path.ts'

/** Deletes one of the caller's photos and its file. */
export const deletePhoto = ({ gallery }: { readonly gallery: Gallery }) =>
  endpoint({
    method: 'DELETE',
    url: '/api/gallery/:photoId',
    summary: 'Delete a photo from the gallery',
    tags: ['gallery'],
    style: 'bare',
    auth: glassesToken,
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
  })
