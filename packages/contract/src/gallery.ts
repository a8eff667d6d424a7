import { type Static, Type } from 'typebox'

/** Supported content types of a photo. The type is detected from the first bytes, never taken from the upload. */
export const PHOTO_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const

/** Schema of the content type of a photo. */
export const photoType = Type.Enum(PHOTO_TYPES)

/** One of {@link PHOTO_TYPES}. */
export type PhotoType = Static<typeof photoType>

/** Content type of the recording of a managed stream. */
export const RECORDING_TYPE = 'video/mp4'

/** Content types in a gallery: photos and recordings. */
export const GALLERY_TYPES = [...PHOTO_TYPES, RECORDING_TYPE] as const

/** Schema of a content type in a gallery. */
const galleryType = Type.Enum(GALLERY_TYPES)

/** One of {@link GALLERY_TYPES}. */
export type GalleryType = Static<typeof galleryType>

/** What `GET /api/gallery` can list; images by default. */
export const GALLERY_LISTS = ['image', 'video', 'all'] as const

/** One of {@link GALLERY_LISTS}. */
export type GalleryList = (typeof GALLERY_LISTS)[number]

/** The content types in each of {@link GALLERY_LISTS}. */
export const TYPES_OF_GALLERY_LIST: Readonly<Record<GalleryList, readonly GalleryType[]>> = {
  image: PHOTO_TYPES,
  video: [RECORDING_TYPE],
  all: GALLERY_TYPES,
}

/** Origins of a photo: requested by an app, taken with a button on the glasses, or the recording of a stream. */
export const PHOTO_ORIGINS = ['app', 'glasses', 'stream'] as const

/** Schema of the origin of a photo. */
export const photoOrigin = Type.Enum(PHOTO_ORIGINS)

/** One of {@link PHOTO_ORIGINS}. */
export type PhotoOrigin = Static<typeof photoOrigin>

/** Schema of a photo in the gallery. */
export const galleryPhoto = Type.Object(
  {
    _id: Type.String(),
    userId: Type.String({ description: 'Opaque id of the owner' }),
    userEmail: Type.String(),
    filename: Type.String({ description: 'Generated' }),
    uploadedAt: Type.String({ format: 'date-time' }),
    size: Type.Integer({ description: 'Bytes' }),
    mimeType: galleryType,
    metadata: Type.Object({
      requestId: Type.String({
        description: 'The photo request that it fulfills, or the input of a recording',
      }),
      origin: photoOrigin,
      packageName: Type.Optional(Type.String({ description: 'The app that requested it, if any' })),
    }),
  },
  { title: 'GalleryPhoto' },
)

/** A photo in the gallery. */
export type GalleryPhoto = Static<typeof galleryPhoto>
