import type { GalleryPhoto } from '@glasses-cloud/contract'
import { filenameOf, type Photo } from './photo.ts'

/** Returns a photo as `GET /api/gallery` lists it. */
export function photoView(photo: Photo, userEmail: string): GalleryPhoto {
  const { requestId, origin, packageName } = photo
  return {
    _id: photo.id,
    userId: photo.userId,
    userEmail,
    filename: filenameOf(photo),
    uploadedAt: new Date(photo.uploadedAt).toISOString(),
    size: photo.size,
    mimeType: photo.type,
    metadata: { requestId, origin, ...(packageName === null ? {} : { packageName }) },
  }
}
