import { randomUUID } from 'node:crypto'
import {
  createValidator,
  PHOTO_TYPES,
  photoRequestId,
  photoResponseBody,
  photoUploadResponse,
} from '@glasses-cloud/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { coreToken, eitherOf, glassesToken, none } from '../../http/auth/index.ts'
import { PARTIAL_CONTENT, RANGE_HEADERS, sendContent } from '../../http/content.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { fault, requireSession } from '../../http/fault.ts'
import { MAX_ARRIVAL_MS } from '../../http/mount.ts'
import { readHead } from '../../http/read-head.ts'
import { baseUrlOf } from '../../http/request-origin.ts'
import { formParts } from '../../http/schemas.ts'
import type { UserStore } from '../../identity/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import { toIsoString } from '../../time/index.ts'
import { filenameOf, type Gallery, type Reservation, UserDeletedError } from '../gallery/index.ts'
import { completeUpload, galleryFull } from './complete-upload.ts'
import type { PhotoLinks } from './photo-links.ts'
import type { PhotoRelay } from './photo-relay.ts'
import { checkUpload, MAX_PHOTO_BYTES, readUpload, UPLOAD_FORM_LIMITS } from './read-upload.ts'
import { uploadToken } from './upload-tokens.ts'

/** Time after which a client with too many uploads may try again. */
const RETRY_AFTER_SECONDS = 5

/**
 * Reserves space for the file of a form, by the announced length of the request, before the form is read.
 * @param maxBytes limit of the file
 * @throws Fault `TOO_MANY_UPLOADS`, `UNAUTHORIZED` if the user is being deleted; DiskFullError
 */
async function reserveSpace(
  gallery: Gallery,
  userId: string,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  maxBytes: number,
): Promise<Reservation> {
  const announced = Number(request.headers['content-length'] ?? maxBytes)
  try {
    const reservation = await gallery.reserve(userId, 'upload', Math.min(announced, maxBytes))
    if (reservation !== undefined) return reservation
  } catch (error) {
    throw error instanceof UserDeletedError ? fault('UNAUTHORIZED') : error
  }
  void reply.header('retry-after', RETRY_AFTER_SECONDS)
  throw fault('TOO_MANY_UPLOADS')
}

export interface PhotoEndpointDeps {
  readonly gallery: Gallery
  readonly relay: PhotoRelay
  readonly links: PhotoLinks
  readonly users: UserStore
  readonly sessions: SessionDirectory
  /** Base URL of the cloud for clients. */
  readonly publicUrl: () => URL
  /** Epoch ms. */
  readonly now: () => number
}

export const photoEndpoints = (deps: PhotoEndpointDeps): Endpoint[] => [
  uploadPhoto(deps),
  uploadVideo(deps),
  photoResponse(deps),
  getSharedPhoto(deps),
]

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
const uploadPhoto = ({ gallery, relay, links, users, sessions, publicUrl }: PhotoEndpointDeps) =>
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
      'TOO_MANY_UPLOADS',
      'PHOTO_REQUEST_OVER',
      'PHOTO_UPLOAD_FAILED',
      'INSUFFICIENT_STORAGE',
    ],
    failure: 'PHOTO_UPLOAD_FAILED',
    // Sufficient for the largest photo at half a megabit per second.
    limits: { arrivalMs: MAX_ARRIVAL_MS, form: UPLOAD_FORM_LIMITS },
    handler: async ({ caller, request, reply }) => {
      if (!request.isMultipart()) throw fault('UNSUPPORTED_MEDIA_TYPE')
      const { user } = caller
      const grant = caller.kind === 'upload' ? caller.grant : undefined
      return relay.traceUpload(grant?.trace, async () => {
        const packageName = grant?.packageName
        const rejectPhoto = async (requestId: string | undefined, reason: string) => {
          if (requestId !== undefined)
            await (await sessions.find(user.id))?.rejectPhoto(requestId, packageName, reason)
        }
        const reservation = await reserveSpace(gallery, user.id, { request, reply }, MAX_PHOTO_BYTES).catch(
          async (error: unknown) => {
            await rejectPhoto(grant?.requestId, 'The photo could not be stored')
            throw error
          },
        )
        try {
          const upload = await readUpload(request, user.id, gallery, {
            requestId: grant?.requestId,
            signal: reservation.signal,
            onStorageFailure: (requestId) => rejectPhoto(requestId, 'The photo could not be stored'),
          })
          const checked = checkUpload(upload)
          if (!checked.ok) {
            const { requestId, error } = checked
            if (typeof upload.photo === 'object') await gallery.discard(upload.photo)
            await rejectPhoto(requestId, error.message)
            throw error
          }
          const { photo, requestId } = checked
          const session = await sessions.find(user.id)
          const claim = await session?.claimPhoto(requestId, packageName)
          // The end of a session ends all photo requests of its apps.
          const outcome = claim ?? {
            kind: packageName === undefined ? ('unrequested' as const) : ('completed' as const),
          }
          const deps = { gallery, relay, links, reservation, session }
          const isStored = await completeUpload(deps, photo, requestId, outcome)
          const photoUrl = isStored
            ? new URL(`${baseUrlOf(publicUrl())}/api/gallery/${photo.id}/file`).href
            : null
          return { success: true as const, photoUrl, requestId }
        } finally {
          await reservation.release()
        }
      })
    },
  })

/** Largest video. */
const MAX_VIDEO_BYTES = 100 * 1024 * 1024

const requestIdValidator = createValidator(photoRequestId)

/** Accepts a video that the firmware of glasses recorded, and stores it in the gallery. */
const uploadVideo = ({ gallery }: PhotoEndpointDeps) =>
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
      'TOO_MANY_UPLOADS',
      'INSUFFICIENT_STORAGE',
    ],
    failure: 'PHOTO_UPLOAD_FAILED',
    limits: { arrivalMs: MAX_ARRIVAL_MS, form: { ...UPLOAD_FORM_LIMITS, fileSize: MAX_VIDEO_BYTES } },
    handler: async ({ caller: { user }, request, reply }) => {
      if (!request.isMultipart()) throw fault('UNSUPPORTED_MEDIA_TYPE')
      const reservation = await reserveSpace(gallery, user.id, { request, reply }, MAX_VIDEO_BYTES)
      try {
        let requestId = `video_${randomUUID()}`
        let isStored: boolean | undefined
        for await (const part of formParts(request)) {
          if (part.type === 'field') {
            if (part.fieldname === 'requestId' && isRequestId(part.value)) requestId = part.value
            continue
          }
          if ((part.fieldname === 'video' || part.fieldname === 'file') && isStored === undefined) {
            const options = { origin: 'glasses', reservation } as const
            isStored = await gallery.addRecording(user.id, requestId, readVideo(part.file), options)
          }
          part.file.resume()
        }
        if (isStored === undefined) throw fault('VIDEO_REQUIRED')
        if (!isStored) throw galleryFull(gallery)
        return { success: true as const, requestId }
      } finally {
        await reservation.release()
      }
    },
  })

/** An MP4 file starts with the length of its first box, and `ftyp`. */
const MP4_START_BYTES = 8

/**
 * Reads a video.
 * @throws Fault `VIDEO_TYPE_UNSUPPORTED` if it does not start as an MP4 file, `VIDEO_TOO_LARGE` if the form cut it off
 */
async function* readVideo(
  file: AsyncIterable<Uint8Array> & { readonly truncated: boolean },
): AsyncIterable<Uint8Array> {
  const { head, content } = await readHead(file, MP4_START_BYTES)
  if (head.toString('latin1', 4, MP4_START_BYTES) !== 'ftyp') throw fault('VIDEO_TYPE_UNSUPPORTED')
  yield* content
  if (file.truncated) throw fault('VIDEO_TOO_LARGE')
}

function isRequestId(value: unknown): value is string {
  return requestIdValidator.Check(value)
}

/** Accepts the result of a photo request from newer phones, which do not send it on the socket. Ignores unknown requests. */
const photoResponse = ({ sessions, now }: PhotoEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/client/photo/response',
    summary: 'Report the result of a photo request',
    tags: ['photos'],
    style: 'bare',
    auth: coreToken,
    limits: { isReport: true },
    schema: {
      body: photoResponseBody,
      response: {
        200: Type.Object({
          success: Type.Literal(true),
          message: Type.String(),
          timestamp: Type.String({ format: 'date-time' }),
        }),
      },
    },
    errors: ['NO_ACTIVE_SESSION'],
    handler: async ({ caller: { user }, body }) => {
      const session = await requireSession(sessions, user.id)
      await session.photoResponse(body)
      return {
        success: true as const,
        message: 'Photo response received',
        timestamp: toIsoString(now()),
      }
    },
  })

/** Requests per address: one app server loads the photos of all its users. A wrong signature causes no query. */
const REQUESTS_PER_MINUTE = 3_000

/** Serves a photo at the address that an app received on its socket. The address is the credential. */
const getSharedPhoto = ({ gallery, links }: PhotoEndpointDeps) =>
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
      headers: Type.Object(RANGE_HEADERS),
      response: { 200: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }), ...PARTIAL_CONTENT },
    },
    media: { contentTypes: PHOTO_TYPES },
    errors: ['PHOTO_NOT_FOUND', 'RANGE_NOT_SATISFIABLE', 'GALLERY_FETCH_FAILED'],
    invalid: 'PHOTO_NOT_FOUND',
    failure: 'GALLERY_FETCH_FAILED',
    limits: { perMinute: () => REQUESTS_PER_MINUTE },
    handler: async ({ params: { photoId, signature }, request, reply }) => {
      const photo = await links.find(photoId, signature)
      if (!photo) throw fault('PHOTO_NOT_FOUND')
      return sendContent(request, reply, {
        size: photo.size,
        async open(range) {
          const file = await gallery.open(photo, range)
          if (!file) throw fault('PHOTO_NOT_FOUND')
          reply.headers({
            'cache-control': 'private, no-store',
            'content-type': photo.type,
            'content-disposition': `inline; filename="${filenameOf(photo)}"`,
          })
          return file.stream
        },
      })
    },
  })
