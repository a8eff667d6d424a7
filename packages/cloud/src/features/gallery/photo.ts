import type { GalleryType, PhotoOrigin, PhotoType } from '@glasses-cloud/contract'

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
