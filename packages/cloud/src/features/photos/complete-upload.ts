import type { PhotoError } from '@glasses-cloud/contract'
import { fault } from '../../http/fault.ts'
import type { PhotoClaimOutcome } from '../../session/index.ts'
import type { Gallery, ReceivedPhoto } from '../gallery/index.ts'
import type { PhotoDelivery } from './photo-delivery-store.ts'
import type { PhotoRelay } from './photo-relay.ts'

/**
 * Adds an uploaded photo to the gallery, forwards it to the app that requested it, or both. A full gallery does not
 * prevent the forwarding.
 * @returns whether the photo is in the gallery
 * @throws Fault `PHOTO_REQUEST_OVER` and, for the user's own photo, `GALLERY_FULL`; the error of the database. The file
 * is then deleted and the app notified
 */
export async function completeUpload(
  { gallery, relay }: { readonly gallery: Gallery; readonly relay: PhotoRelay },
  photo: ReceivedPhoto,
  requestId: string,
  claim: PhotoClaimOutcome,
): Promise<boolean> {
  if (claim.kind === 'completed') {
    await gallery.discard(photo)
    throw fault('PHOTO_REQUEST_OVER')
  }
  const isRequested = claim.kind === 'requested'
  let delivery: PhotoDelivery | undefined
  let isStored = false
  try {
    if (isRequested) delivery = await relay.accept(photo, claim)
    if (!isRequested || claim.saveToGallery) {
      const packageName = isRequested ? claim.packageName : null
      const origin = isRequested ? 'app' : 'glasses'
      isStored = await gallery.add(photo, { requestId, packageName, origin })
    }
    if (!isRequested && !isStored) throw fault('GALLERY_FULL')
  } catch (error) {
    if (delivery) await relay.cancel(delivery)
    await gallery.discard(photo)
    if (isRequested) relay.fail(claim.packageName, storageError(requestId))
    throw error
  }
  if (delivery) relay.deliver(delivery)
  return isStored
}

function storageError(requestId: string): PhotoError {
  return {
    requestId,
    type: 'photo_error',
    success: false,
    errorCode: 'UPLOAD_FAILED',
    errorMessage: 'The photo could not be stored',
    hop: 'upload',
  }
}
