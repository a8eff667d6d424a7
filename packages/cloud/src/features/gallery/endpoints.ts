import { deletePhoto } from './delete-photo.ts'
import { getPhotoFile } from './get-photo-file.ts'
import { listPhotos } from './list-photos.ts'

/** Endpoints under `/api/gallery`. */
export const galleryEndpoints = [listPhotos, getPhotoFile, deletePhoto]
