import { fault } from '../../http/fault.ts'
import type { PhotoClaimOutcome } from '../../session/index.ts'
import type { Gallery, ReceivedPhoto } from '../gallery/index.ts'
import type { PhotoRelay } from './photo-relay.ts'

/**
 * Does with a photo what the request behind it asks for: files it, forwards it, or both. An app gets its photo also
 * where the gallery is full.
 * @returns whether it is in the gallery
 * @throws Fault `PHOTO_REQUEST_OVER` and, for a photo of the wearer's own, `GALLERY_FULL`; the error of the store. The
 * file is gone then, and the app is told
 */
export async function settleUpload(
  { gallery, relay }: { readonly gallery: Gallery; readonly relay: PhotoRelay },
  photo: ReceivedPhoto,
  requestId: string,
  claim: PhotoClaimOutcome,
): Promise<boolean> {
  if (claim.kind === 'completed') {
    await gallery.discard(photo)
    throw fault('PHOTO_REQUEST_OVER')
  }
  const asked = claim.kind === 'requested'
  let filed = false
  try {
    if (!asked || claim.saveToGallery) {
      const packageName = asked ? claim.packageName : null
      filed = await gallery.file(photo, { requestId, packageName, origin: asked ? 'app' : 'glasses' })
    }
    if (!asked && !filed) throw fault('GALLERY_FULL')
  } catch (error) {
    await gallery.discard(photo)
    if (asked) relay.fail(claim.packageName, notStored(requestId))
    throw error
  }
  if (asked) relay.forward(photo, { ...claim, saveToGallery: filed })
  return filed
}

function notStored(requestId: string) {
  return {
    requestId,
    type: 'photo_error',
    success: false,
    errorCode: 'UPLOAD_FAILED',
    errorMessage: 'The photo could not be stored',
    hop: 'upload',
  } as const
}
