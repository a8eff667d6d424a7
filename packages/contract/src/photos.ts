import { type Static, Type } from 'typebox'
import { anyPart, shortened } from './tolerant-reader.ts'

/** In characters; the app SDK generates ids of about 30. */
export const MAX_REQUEST_ID_LENGTH = 200

/** Schema of the id of a photo request, which the app chooses. */
export const photoRequestId = Type.String({
  minLength: 1,
  maxLength: MAX_REQUEST_ID_LENGTH,
  pattern: '^[^\\x00-\\x1f\\x7f]+$',
})

/** Capture options of a photo request. Phones before 2026 ignore them (glasses-socket.md §2.2). */
export const captureFields = {
  flash: Type.Boolean({ description: 'Whether to flash the light' }),
  sound: Type.Boolean({ description: 'Whether to play the shutter sound; default true' }),
  exposureTimeNs: Type.Integer({ minimum: 1, maximum: 60_000_000_000, description: 'Nanoseconds' }),
  mode: Type.String({ maxLength: 20, description: 'photo or text' }),
}

const errorCode = Type.Optional(shortened(100))
const errorMessage = Type.Optional(shortened(1_000))

/**
 * Fields of a phone's response to a photo request, on the socket and over REST. Phones report errors either in `error`
 * or in `errorCode` and `errorMessage`.
 */
export const photoResponseFields = {
  requestId: photoRequestId,
  success: Type.Boolean(),
  photoUrl: Type.Optional(Type.String({ maxLength: 2_048 })),
  savedToGallery: Type.Optional(Type.Boolean()),
  error: Type.Optional(
    Type.Union([Type.Object({ code: errorCode, message: errorMessage }), shortened(1_000)], {
      description: 'A text is a message',
    }),
  ),
  errorCode,
  errorMessage,
}

/** Schema of the body of `POST /api/client/photo/response`. */
export const photoResponseBody = Type.Object(photoResponseFields, { title: 'PhotoResponse', ...anyPart })

/** A phone's response to a photo request. */
export type PhotoResponse = Static<typeof photoResponseBody>

/** Schema of the response of `POST /api/photos/upload`. */
export const photoUploadResponse = Type.Object(
  {
    success: Type.Literal(true),
    photoUrl: Type.Union([Type.String({ format: 'uri' }), Type.Null()], {
      description:
        'URL for the owner; null if the photo was forwarded to an app and not stored in the gallery',
    }),
    requestId: Type.String(),
  },
  { title: 'PhotoUploaded' },
)

/** The step at which a photo request failed. */
export type PhotoHop = 'permission' | 'request' | 'glasses' | 'camera' | 'upload' | 'forward' | 'deadline'

/** What the app receives at `/photo-upload` for a failed photo request, as text fields of a form (app-socket.md §3.4). */
export interface PhotoError {
  readonly requestId: string
  readonly type: 'photo_error'
  readonly success: false
  /** A well-known code (`PERMISSION_DENIED`, `CAMERA_BUSY`, …) or the code that the glasses reported. */
  readonly errorCode: string
  readonly errorMessage: string
  readonly hop: PhotoHop
}
