import { createValidator, photoRequestId } from '@glasses-cloud/contract'
import { type Fault, fault } from '../../http/fault.ts'
import type { ReceivedPhoto } from '../gallery/index.ts'
import type { Upload } from './read-upload.ts'

/** An upload that is all there, or why it is refused. */
export type CheckedUpload =
  | { readonly ok: true; readonly photo: ReceivedPhoto; readonly requestId: string }
  | { readonly ok: false; readonly refusal: Fault; readonly requestId: string | undefined }

const requestIdForm = createValidator(photoRequestId)

/** Looks whether an upload holds a photo, and says for which request. */
export function checkUpload({ photo, requestId }: Upload): CheckedUpload {
  const refused = (refusal: Fault): CheckedUpload => ({ ok: false, refusal, requestId })
  if (photo === undefined) return refused(fault('PHOTO_REQUIRED'))
  if (photo === 'type') return refused(fault('PHOTO_TYPE_UNSUPPORTED'))
  if (photo === 'size') return refused(fault('PHOTO_TOO_LARGE'))
  if (requestId === undefined) return refused(fault('BAD_REQUEST', { message: 'requestId is required' }))
  if (!requestIdForm.Check(requestId))
    return refused(fault('BAD_REQUEST', { message: 'requestId is not valid' }))
  return { ok: true, photo, requestId }
}
