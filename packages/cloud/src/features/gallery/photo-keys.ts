import type { ReceivedPhoto } from './photo.ts'

/** Sizes of thumbnails: pixels of the longer side. */
export const THUMBNAIL_SIZES = [160, 480, 1600] as const

export type ThumbnailSize = (typeof THUMBNAIL_SIZES)[number]

/** Folder of the files of all photos. */
export const PHOTO_FOLDER = 'photos/'

type PhotoName = Pick<ReceivedPhoto, 'id' | 'userId'>

/** Folder of the files of a user's photos. */
export const folderOf = (userId: string): string => `${PHOTO_FOLDER}${userId}/`

/** Key of the file of a photo. */
export const keyOf = ({ userId, id }: PhotoName): string => folderOf(userId) + id

/** Key of a thumbnail, beside the file of its photo. */
export const thumbnailKeyOf = (photo: PhotoName, size: ThumbnailSize): string =>
  `${keyOf(photo)}.${size}.webp`

/** Keys of the file of a photo and of all its thumbnails. */
export const keysOf = (photo: PhotoName): string[] => [
  keyOf(photo),
  ...THUMBNAIL_SIZES.map((size) => thumbnailKeyOf(photo, size)),
]

/** Returns the id of the photo that a file or thumbnail belongs to. */
export function photoIdOf(key: string): string {
  const name = key.slice(key.lastIndexOf('/') + 1)
  const [id = name] = name.split('.', 1)
  return id
}
