import type { PhotoOrigin, PhotoType } from '@glasses-cloud/contract'

/** A photo whose file is stored, and which is in nobody's gallery yet. */
export interface ReceivedPhoto {
  readonly id: string
  /** Opaque id of the owner. */
  readonly userId: string
  readonly type: PhotoType
  /** Bytes. */
  readonly size: number
}

/** How a photo came to be. */
export interface PhotoSource {
  /** The photo request it answers, as whoever asked named it. */
  readonly requestId: string
  readonly origin: PhotoOrigin
  /** The app that asked; null where none did. */
  readonly packageName: string | null
}

/** A photo in a gallery. */
export interface Photo extends ReceivedPhoto, PhotoSource {
  /** Epoch ms. */
  readonly uploadedAt: number
}

const extensions: Readonly<Record<PhotoType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
}

/** The name of a photo as a file. Nothing in it comes from the upload. */
export function filenameOf({ id, type }: Pick<Photo, 'id' | 'type'>): string {
  return `${id}.${extensions[type]}`
}
