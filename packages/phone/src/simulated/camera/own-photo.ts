import type { Picture, TakePicture } from '../../platform/platform.ts'
import type { CameraBehavior, PhotoOutcome } from './photo-request.ts'

/** The button that takes photos, as phones name it. */
export const CAMERA_BUTTON = 'camera'

export interface OwnPhotoDeps {
  readonly behavior: CameraBehavior
  /** Number of the photo, from 0; determines its content. */
  readonly index: number
  readonly takePicture: TakePicture
  /** Uploads the photo as the user's own. @throws {Error} if the cloud rejects it */
  readonly upload: (requestId: string, jpeg: Uint8Array<ArrayBuffer>) => Promise<void>
}

/**
 * Takes a photo that no app requested, and uploads it to the gallery of the user.
 * @returns the result, or `undefined` if the camera ignores requests
 */
export async function takeOwnPhoto(requestId: string, deps: OwnPhotoDeps): Promise<PhotoOutcome | undefined> {
  const { behavior, index, takePicture, upload } = deps
  if (behavior.kind === 'ignore') return undefined
  if (behavior.kind === 'fail')
    return { ok: false, requestId, errorCode: behavior.errorCode, errorMessage: behavior.errorMessage }
  const fail = (errorCode: string, error: unknown): PhotoOutcome => {
    const errorMessage = error instanceof Error ? error.message : String(error)
    return { ok: false, requestId, errorCode, errorMessage }
  }
  let picture: Picture
  try {
    picture = await takePicture({ index, size: 'medium', compress: 'none' })
  } catch (error) {
    return fail('CAMERA_FAILED', error)
  }
  try {
    await upload(requestId, picture.jpeg)
    return { ok: true, requestId, picture, status: 200 }
  } catch (error) {
    return fail('UPLOAD_FAILED', error)
  }
}

/** The message that tells apps of a photo that none of them requested. */
export function photoTaken({ jpeg }: Picture, timestamp: number) {
  let binary = ''
  for (const byte of jpeg) binary += String.fromCharCode(byte)
  return { type: 'photo_taken', photoData: btoa(binary), mimeType: 'image/jpeg', timestamp }
}
