import { type Static, Type } from 'typebox'

/** Longest id of a photo request, in characters; the app SDK's have about thirty. */
export const MAX_REQUEST_ID_LENGTH = 200

/** Schema of a photo request's id, which its app makes up. */
export const photoRequestId = Type.String({
  minLength: 1,
  maxLength: MAX_REQUEST_ID_LENGTH,
  pattern: '^[^\\x00-\\x1f\\x7f]+$',
})

/**
 * How a photo is to be taken, as phones from 2026 on understand it; older ones pass over it (glasses socket protocol,
 * 2.2).
 */
export const captureFields = {
  flash: Type.Boolean({ description: 'Whether the light may flash' }),
  sound: Type.Boolean({ description: 'Whether the shutter is heard; it is, if left out' }),
  exposureTimeNs: Type.Integer({ minimum: 1, maximum: 60_000_000_000, description: 'Nanoseconds' }),
  mode: Type.String({ maxLength: 20, description: 'photo or text' }),
}

/**
 * What a phone says of a photo it was asked for: the fields of its `photo_response`, and of its REST body. Both ways
 * to word an error occur.
 */
export const photoResponseFields = {
  requestId: photoRequestId,
  success: Type.Boolean(),
  photoUrl: Type.Optional(Type.Union([Type.Null(), Type.String({ maxLength: 2_048 })])),
  savedToGallery: Type.Optional(Type.Union([Type.Null(), Type.Boolean()])),
  error: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Object({
        code: Type.Optional(Type.String({ maxLength: 100 })),
        message: Type.Optional(Type.String({ maxLength: 1_000 })),
      }),
    ]),
  ),
  errorCode: Type.Optional(Type.Union([Type.Null(), Type.String({ maxLength: 100 })])),
  errorMessage: Type.Optional(Type.Union([Type.Null(), Type.String({ maxLength: 1_000 })])),
}

/** Schema of the body of `POST /api/client/photo/response`. */
export const photoResponseBody = Type.Object(photoResponseFields, { title: 'PhotoResponse' })

/** How a photo request ended, as a phone says it. */
export type PhotoResponse = Static<typeof photoResponseBody>

/** Schema of the answer to `POST /api/photos/upload`. */
export const photoUploadResponse = Type.Object(
  {
    success: Type.Literal(true),
    photoUrl: Type.Union([Type.String({ format: 'uri' }), Type.Null()], {
      description: "Where the owner finds it; null where it went to an app and not into the owner's gallery",
    }),
    requestId: Type.String(),
  },
  { title: 'PhotoUploaded' },
)

/** The step at which a photo was lost on its way from the glasses to the app. */
export type PhotoHop = 'permission' | 'request' | 'glasses' | 'camera' | 'upload' | 'forward' | 'deadline'

/** What an app's `/photo-upload` is told when a photo will not come (app socket protocol, 3.4). */
export interface PhotoError {
  readonly requestId: string
  readonly type: 'photo_error'
  readonly success: false
  /** A code of the ecosystem (`PERMISSION_DENIED`, `CAMERA_BUSY`, …), or the one the glasses gave. */
  readonly errorCode: string
  readonly errorMessage: string
  /** Where it failed. */
  readonly hop: PhotoHop
}
