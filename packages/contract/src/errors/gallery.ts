import type { ErrorEntry } from './error.ts'

/** Errors of `/api/gallery` and `/api/photos`. */
export const galleryErrors = {
  GALLERY_FETCH_FAILED: { status: 500, message: 'Failed to fetch gallery photos' },
  PHOTO_NOT_FOUND: { status: 404, message: 'Photo not found' },
  PHOTO_NOT_YOURS: { status: 403, message: 'Not authorized to delete this photo' },
  PHOTO_DELETE_FAILED: { status: 500, message: 'Failed to delete photo' },
  RANGE_NOT_SATISFIABLE: { status: 416, message: 'The range is outside the photo' },
  PHOTO_REQUIRED: { status: 400, message: 'A photo is required, in the field photo or file' },
  PHOTO_TYPE_UNSUPPORTED: { status: 415, message: 'A photo must be a JPEG, PNG or WebP image' },
  VIDEO_REQUIRED: { status: 400, message: 'A video is required, in the field video or file' },
  VIDEO_TYPE_UNSUPPORTED: { status: 415, message: 'A video must be an MP4 file' },
  VIDEO_TOO_LARGE: { status: 413, message: 'A video may be at most 100 MiB' },
  PHOTO_TOO_LARGE: { status: 413, message: 'A photo may be at most 10 MiB' },
  GALLERY_FULL: { status: 413, message: 'The gallery is full; delete some photos first' },
  TOO_MANY_UPLOADS: { status: 429, message: 'Too many uploads at a time; wait until one has ended' },
  PHOTO_REQUEST_OVER: { status: 404, message: 'The photo request has ended' },
  PHOTO_UPLOAD_FAILED: { status: 500, message: 'Failed to store the photo' },
} as const satisfies Record<string, ErrorEntry>
