import { randomBytes } from 'node:crypto'
import type { GalleryType, PhotoOrigin, PhotoType } from '@glasses-cloud/contract'
import { readHead } from '../../http/read-head.ts'

/** A photo whose file is stored, but which is not in a gallery yet. */
export interface ReceivedPhoto {
  readonly id: string
  /** Opaque id of the owner. */
  readonly userId: string
  readonly type: PhotoType
  /** Bytes. */
  readonly size: number
}

/** The origin of a photo. */
export interface PhotoSource {
  /** Id of the photo request, chosen by the requesting app or phone. */
  readonly requestId: string
  readonly origin: PhotoOrigin
  /** Package name of the app that requested the photo; null if no app did. */
  readonly packageName: string | null
}

/** A photo or a recording in a gallery. */
export interface Photo extends Omit<ReceivedPhoto, 'type'>, PhotoSource {
  readonly type: GalleryType
  /** Epoch ms. */
  readonly uploadedAt: number
}

const EXTENSIONS: Readonly<Record<GalleryType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
}

/** Returns the filename of a photo. Does not contain data of the upload. */
export function filenameOf({ id, type }: Pick<Photo, 'id' | 'type'>): string {
  return `${id}.${EXTENSIONS[type]}`
}

/** Number of bytes that identify the image type. */
const SIGNATURE_BYTES = 12

/**
 * Detects the type of an image from its first bytes.
 * @returns the type, undefined if it is not supported, and the complete content
 */
export async function detectPhotoType(
  source: AsyncIterable<Uint8Array>,
): Promise<{ readonly type: PhotoType | undefined; readonly content: AsyncIterable<Uint8Array> }> {
  const { head, content } = await readHead(source, SIGNATURE_BYTES)
  return { type: typeOf(head), content }
}

/** Returns the image type by the first bytes; the type that the upload declares is ignored. */
function typeOf(head: Buffer): PhotoType | undefined {
  if (head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg'
  if (head.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))) return 'image/png'
  const isWebp = head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP'
  return isWebp ? 'image/webp' : undefined
}

/** Base-36 digits of the time in an id, sufficient until the year 5188. */
const TIME_DIGITS = 9

/** Creates an unguessable id that sorts by creation time. */
export function newPhotoId(now: number): string {
  return now.toString(36).padStart(TIME_DIGITS, '0') + randomBytes(12).toString('hex')
}

/** Returns the creation time of an id, in epoch ms. */
export function photoIdTime(id: string): number {
  return Number.parseInt(id.slice(0, TIME_DIGITS), 36)
}

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
