import { fault } from '../../http/fault.ts'
import type { PhotoClaim, PhotoClaimOutcome } from '../../session/index.ts'
import type { SessionHandle } from '../../session-host/index.ts'
import type { Gallery, ReceivedPhoto, Reservation } from '../gallery/index.ts'
import type { PhotoLinks } from './photo-links.ts'
import type { PhotoRelay } from './photo-relay.ts'

export interface CompleteUploadDeps {
  readonly gallery: Gallery
  readonly relay: PhotoRelay
  readonly links: PhotoLinks
  /** The space that the photo has in the gallery. */
  readonly reservation: Reservation
  /** The session that made the claim. */
  readonly session: Pick<SessionHandle, 'answerPhoto'> | undefined
}

/** The way of a photo to the app that requested it. */
interface Handover {
  /** Starts it, once the photo is in the gallery if it is to be stored there. */
  complete(isStored: boolean): Promise<void>
  /** Undoes it, because the photo could not be stored. Never throws. */
  cancel(): Promise<void>
}

const STORAGE_FAILURE = { code: 'UPLOAD_FAILED', message: 'The photo could not be stored' }

/** Creates the error for a photo or video that exceeds the quota of its user. */
export const galleryFull = ({ limit }: Pick<Gallery, 'limit'>) =>
  fault('GALLERY_FULL', { message: `The gallery is full, with at most ${limit}; delete some photos first` })

/**
 * Adds an uploaded photo to the gallery, hands it over to the app that requested it, or both. A full gallery does not
 * prevent the handover.
 * @returns whether the photo is in the gallery
 * @throws Fault `PHOTO_REQUEST_OVER` and, for the user's own photo, `GALLERY_FULL`; the error of the database. The file
 * is then deleted and the app notified
 */
export async function completeUpload(
  deps: CompleteUploadDeps,
  photo: ReceivedPhoto,
  requestId: string,
  claim: PhotoClaimOutcome,
): Promise<boolean> {
  const { gallery, reservation } = deps
  if (claim.kind === 'completed') {
    await gallery.discard(photo)
    throw fault('PHOTO_REQUEST_OVER')
  }
  const isRequested = claim.kind === 'requested'
  let handover: Handover | undefined
  let isStored = false
  try {
    if (isRequested) handover = await prepareHandover(deps, photo, claim)
    if (!isRequested || claim.saveToGallery) {
      const packageName = isRequested ? claim.packageName : null
      const origin = isRequested ? 'app' : 'glasses'
      isStored = await gallery.add(photo, { requestId, packageName, origin }, reservation)
    }
    if (!isRequested && !isStored) throw galleryFull(gallery)
  } catch (error) {
    await handover?.cancel()
    await gallery.discard(photo)
    if (isRequested) await reportStorageFailure(deps, photo.userId, claim)
    throw error
  }
  await handover?.complete(isStored)
  return isStored
}

async function prepareHandover(
  { relay, links, session }: CompleteUploadDeps,
  photo: ReceivedPhoto,
  claim: PhotoClaim,
): Promise<Handover> {
  const { packageName, requestId } = claim
  if (claim.route === 'socket') {
    const photoUrl = await links.create(photo, claim)
    return {
      complete: async (savedToGallery) =>
        session?.answerPhoto(packageName, { requestId, success: true, photoUrl, savedToGallery }),
      cancel: () => links.cancel(photo),
    }
  }
  const delivery = await relay.accept(photo, claim)
  return { complete: async () => relay.deliver(delivery), cancel: () => relay.cancel(delivery) }
}

async function reportStorageFailure(
  { relay, session }: CompleteUploadDeps,
  userId: string,
  { route, packageName, requestId }: PhotoClaim,
): Promise<void> {
  if (route === 'socket')
    return session?.answerPhoto(packageName, { requestId, success: false, error: STORAGE_FAILURE })
  relay.fail(userId, packageName, {
    requestId,
    type: 'photo_error',
    success: false,
    errorCode: STORAGE_FAILURE.code,
    errorMessage: STORAGE_FAILURE.message,
    hop: 'upload',
  })
}
