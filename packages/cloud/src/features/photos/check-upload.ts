import { createValidator, photoRequestId } from '@glasses-cloud/contract'
import { type Fault, fault } from '../../http/fault.ts'
import type { ReceivedPhoto } from '../gallery/index.ts'
import type { Upload } from './read-upload.ts'

/** A valid upload, or the reason for its rejection. */
export type UploadCheck =
  | { readonly ok: true; readonly photo: ReceivedPhoto; readonly requestId: string }
  | { readonly ok: false; readonly error: Fault; readonly requestId: string | undefined }

const requestIdValidator = createValidator(photoRequestId)

/** Checks that an upload contains a photo and a valid request id. */
export function checkUpload({ photo, requestId }: Upload): UploadCheck {
  const reject = (error: Fault): UploadCheck => ({ ok: false, error, requestId })
  if (photo === undefined) return reject(fault('PHOTO_REQUIRED'))
  if (photo === 'type') return reject(fault('PHOTO_TYPE_UNSUPPORTED'))
  if (photo === 'size') return reject(fault('PHOTO_TOO_LARGE'))
  if (requestId === undefined) return reject(fault('BAD_REQUEST', { message: 'requestId is required' }))
  if (!requestIdValidator.Check(requestId))
    return reject(fault('BAD_REQUEST', { message: 'requestId is not valid' }))
  return { ok: true, photo, requestId }
}
