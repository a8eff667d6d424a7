import { photoRequestId, photoUploadResponse } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { MAX_ARRIVAL_MS } from '../../http/arrival.ts'
import { eitherOf, glassesToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { checkUpload } from './check-upload.ts'
import { completeUpload } from './complete-upload.ts'
import type { PhotoEndpointDeps } from './deps.ts'
import { readUpload, UPLOAD_FORM_LIMITS } from './read-upload.ts'
import { uploadToken } from './upload-token-auth.ts'

const photoFile = Type.Optional(
  Type.String({ format: 'binary', description: 'JPEG, PNG or WebP, at most 10 MiB' }),
)

const uploadForm = Type.Object({
  photo: photoFile,
  file: Type.Optional(
    Type.String({ format: 'binary', description: 'The same as photo; one of them is required' }),
  ),
  requestId: Type.Optional(photoRequestId),
  metadata: Type.Optional(Type.String({ description: 'JSON object with requestId, if that is not a field' })),
})

/**
 * Accepts a photo from glasses or phone. A photo that an app requested is forwarded to the app, and stored in the gallery
 * if the request has `saveToGallery`; any other photo is the user's own and is stored in the gallery.
 */
export const uploadPhoto = ({ gallery, relay, links, users, sessions, publicUrl }: PhotoEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/photos/upload',
    summary: 'Upload a photo: a multipart form with the file as photo or file, and requestId',
    tags: ['photos'],
    style: 'bare',
    auth: eitherOf(glassesToken, uploadToken({ tokens: relay.tokens, users })),
    schema: { response: { 200: photoUploadResponse } },
    media: { form: uploadForm },
    errors: [
      'UNSUPPORTED_MEDIA_TYPE',
      'PHOTO_REQUIRED',
      'PHOTO_TYPE_UNSUPPORTED',
      'PHOTO_TOO_LARGE',
      'GALLERY_FULL',
      'PHOTO_REQUEST_OVER',
      'PHOTO_UPLOAD_FAILED',
    ],
    failure: 'PHOTO_UPLOAD_FAILED',
    // Sufficient for the largest photo at half a megabit per second.
    limits: { arrivalMs: MAX_ARRIVAL_MS, form: UPLOAD_FORM_LIMITS },
    handler: async ({ caller, request }) => {
      if (!request.isMultipart()) throw fault('UNSUPPORTED_MEDIA_TYPE')
      const { user } = caller
      const grant = caller.kind === 'upload' ? caller.grant : undefined
      const packageName = grant?.packageName
      const upload = await readUpload(request, user.id, gallery, {
        requestId: grant?.requestId,
        onStorageFailure: async (requestId) => {
          const session = await sessions.find(user.id)
          await session?.rejectPhoto(requestId, packageName, 'The photo could not be stored')
        },
      })
      const session = await sessions.find(user.id)
      const checked = checkUpload(upload)
      if (!checked.ok) {
        const { requestId, error } = checked
        if (typeof upload.photo === 'object') await gallery.discard(upload.photo)
        if (requestId !== undefined) await session?.rejectPhoto(requestId, packageName, error.message)
        throw error
      }
      const { photo, requestId } = checked
      const claim = await session?.claimPhoto(requestId, packageName)
      // The end of a session ends all photo requests of its apps.
      const outcome = claim ?? {
        kind: packageName === undefined ? ('unrequested' as const) : ('completed' as const),
      }
      const isStored = await completeUpload({ gallery, relay, links, session }, photo, requestId, outcome)
      const photoUrl = isStored
        ? new URL(`${publicUrl().href.replace(/\/+$/, '')}/api/gallery/${photo.id}/file`).href
        : null
      return { success: true as const, photoUrl, requestId }
    },
  })
