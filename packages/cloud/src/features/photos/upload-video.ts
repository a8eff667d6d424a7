import { randomUUID } from 'node:crypto'
import { createValidator, photoRequestId } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { MAX_ARRIVAL_MS } from '../../http/arrival.ts'
import { glassesToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { PhotoEndpointDeps } from './deps.ts'
import { UPLOAD_FORM_LIMITS } from './read-upload.ts'

/** Largest video. */
const MAX_VIDEO_BYTES = 100 * 1024 * 1024

const requestIdValidator = createValidator(photoRequestId)

/** Accepts a video that the firmware of glasses recorded, and stores it in the gallery. */
export const uploadVideo = ({ gallery }: PhotoEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/videos/upload',
    summary: 'Upload a video: a multipart form with the MP4 file as video or file, after its requestId',
    tags: ['photos'],
    style: 'bare',
    auth: glassesToken,
    schema: {
      response: { 200: Type.Object({ success: Type.Literal(true), requestId: Type.String() }) },
    },
    media: {
      form: Type.Object({
        requestId: Type.Optional(Type.String({ description: 'Generated if absent' })),
        video: Type.Optional(Type.String({ format: 'binary', description: 'MP4, at most 100 MiB' })),
        file: Type.Optional(Type.String({ format: 'binary', description: 'The same as video' })),
      }),
    },
    errors: [
      'UNSUPPORTED_MEDIA_TYPE',
      'VIDEO_REQUIRED',
      'VIDEO_TYPE_UNSUPPORTED',
      'VIDEO_TOO_LARGE',
      'GALLERY_FULL',
    ],
    failure: 'PHOTO_UPLOAD_FAILED',
    limits: { arrivalMs: MAX_ARRIVAL_MS, form: { ...UPLOAD_FORM_LIMITS, fileSize: MAX_VIDEO_BYTES } },
    handler: async ({ caller: { user }, request }) => {
      if (!request.isMultipart()) throw fault('UNSUPPORTED_MEDIA_TYPE')
      let requestId = `video_${randomUUID()}`
      let isStored: boolean | undefined
      for await (const part of request.parts()) {
        if (part.type === 'field') {
          if (part.fieldname === 'requestId' && isRequestId(part.value)) requestId = part.value
          continue
        }
        if ((part.fieldname === 'video' || part.fieldname === 'file') && isStored === undefined)
          isStored = await gallery.addRecording(user.id, requestId, readVideo(part.file), 'glasses')
        part.file.resume()
      }
      if (isStored === undefined) throw fault('VIDEO_REQUIRED')
      if (!isStored) throw fault('GALLERY_FULL')
      return { success: true as const, requestId }
    },
  })

/**
 * Reads a video.
 * @throws Fault `VIDEO_TYPE_UNSUPPORTED` if it does not start as an MP4 file, `VIDEO_TOO_LARGE` if the form cut it off
 */
async function* readVideo(
  file: AsyncIterable<Uint8Array> & { readonly truncated: boolean },
): AsyncIterable<Uint8Array> {
  let isFirst = true
  for await (const chunk of file) {
    if (isFirst && Buffer.from(chunk).toString('latin1', 4, 8) !== 'ftyp')
      throw fault('VIDEO_TYPE_UNSUPPORTED')
    isFirst = false
    yield chunk
  }
  if (isFirst) throw fault('VIDEO_TYPE_UNSUPPORTED')
  if (file.truncated) throw fault('VIDEO_TOO_LARGE')
}

function isRequestId(value: unknown): value is string {
  return requestIdValidator.Check(value)
}
