import type { Message } from '@glasses-cloud/contract'
import { type Picture, takePicture } from './picture.ts'

/** What the glasses do when somebody asks for a photo. */
export type CameraBehavior =
  /** The glasses have Wi-Fi and upload the picture themselves. */
  | { readonly kind: 'direct' }
  /** The picture goes to the phone over Bluetooth, and the phone uploads it. */
  | { readonly kind: 'phone' }
  /** The photo fails, for instance with `CAMERA_BUSY`. */
  | { readonly kind: 'fail'; readonly errorCode: string; readonly errorMessage: string }
  /** Nothing happens, as when the glasses are out of reach. */
  | { readonly kind: 'ignore' }

/** How a photo request ended. */
export type PhotoOutcome =
  | { readonly ok: true; readonly requestId: string; readonly picture: Picture; readonly status: number }
  | {
      readonly ok: false
      readonly requestId: string
      readonly errorCode: string
      readonly errorMessage: string
    }

/** Uploads by phones and glasses end after half a minute. */
const UPLOAD_TIMEOUT_MS = 30_000

/** A picture that could not be handed in. */
class UploadError extends Error {}

/**
 * Takes the picture a `photo_request` asks for and uploads it where the request says, as glasses and phone do
 * (glasses socket protocol, section 4).
 * @param shot number of the picture, from 0; decides its content
 * @returns the outcome, or `undefined` where the behavior is to ignore the request
 */
export async function handlePhotoRequest(
  request: Message,
  behavior: CameraBehavior,
  shot: number,
): Promise<PhotoOutcome | undefined> {
  const requestId = stringOf(request.requestId)
  if (behavior.kind === 'ignore' || requestId === '') return undefined
  if (behavior.kind === 'fail') {
    return { ok: false, requestId, errorCode: behavior.errorCode, errorMessage: behavior.errorMessage }
  }
  const target = stringOf(request.webhookUrl)
  if (target === '') {
    return {
      ok: false,
      requestId,
      errorCode: 'UPLOAD_FAILED',
      errorMessage: 'The request names no upload target',
    }
  }
  const picture = takePicture(shot, stringOf(request.size), stringOf(request.compress))
  try {
    const status = await upload(
      target,
      stringOf(request.authToken),
      buildForm(requestId, picture, behavior.kind),
    )
    return { ok: true, requestId, picture, status }
  } catch (error) {
    const errorMessage = error instanceof UploadError ? error.message : 'The upload target cannot be reached'
    return { ok: false, requestId, errorCode: 'UPLOAD_FAILED', errorMessage }
  }
}

/** The multipart body: glasses and phones name the fields beside the picture differently. */
function buildForm(requestId: string, picture: Picture, by: 'direct' | 'phone'): FormData {
  const body = new FormData()
  body.set('requestId', requestId)
  if (by === 'direct') {
    body.set('type', 'photo_upload')
    body.set('success', 'true')
  } else {
    body.set('source', 'ble_transfer')
  }
  const file = new Blob([new Uint8Array(picture.jpeg)], { type: 'image/jpeg' })
  body.set('photo', file, `${requestId}.jpg`)
  return body
}

/** @returns the HTTP status of the accepted upload */
async function upload(target: string, authToken: string, body: FormData): Promise<number> {
  const response = await fetch(target, {
    method: 'POST',
    // Only the token of the request: a phone that fell back to its own would hand the wearer's key to the app.
    headers: authToken === '' ? {} : { authorization: `Bearer ${authToken}` },
    body,
    signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
  })
  await response.body?.cancel()
  if (!response.ok) throw new UploadError(`The upload target answered with status ${response.status}`)
  return response.status
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
