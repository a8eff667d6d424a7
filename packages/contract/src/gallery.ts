import { type Static, Type } from 'typebox'

/** Content types a photo may have. What it has is read from its first bytes, never taken from the upload. */
export const PHOTO_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const

/** Schema of the content type of a photo. */
export const photoType = Type.Enum(PHOTO_TYPES)

/** One of {@link PHOTO_TYPES}. */
export type PhotoType = Static<typeof photoType>

/** Where a photo came from: an app asked for it, or the wearer pressed a button on the glasses. */
export const PHOTO_ORIGINS = ['app', 'glasses'] as const

/** Schema of the origin of a photo. */
export const photoOrigin = Type.Enum(PHOTO_ORIGINS)

/** One of {@link PHOTO_ORIGINS}. */
export type PhotoOrigin = Static<typeof photoOrigin>

/** Schema of a photo in the gallery (interface specification, "Gallery photo"). */
export const galleryPhoto = Type.Object(
  {
    _id: Type.String(),
    userId: Type.String({ description: 'Owner, by opaque id' }),
    userEmail: Type.String(),
    filename: Type.String({ description: 'Generated' }),
    uploadedAt: Type.String({ format: 'date-time' }),
    size: Type.Integer({ description: 'Bytes' }),
    mimeType: photoType,
    metadata: Type.Object({
      requestId: Type.String({ description: 'The photo request it answers' }),
      origin: photoOrigin,
      packageName: Type.Optional(Type.String({ description: 'The app that asked for it, if one did' })),
    }),
  },
  { title: 'GalleryPhoto' },
)

/** A photo in the gallery. */
export type GalleryPhoto = Static<typeof galleryPhoto>
