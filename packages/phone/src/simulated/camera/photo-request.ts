import type { Message } from '@glasses-cloud/contract'
import type { Picture, TakePicture } from '../../platform/platform.ts'

/** How the glasses handle `photo_request`. */
export type CameraBehavior =
  /** The glasses upload the photo themselves, over Wi-Fi. */
  | { readonly kind: 'direct' }
  /**
   * The phone receives the photo over Bluetooth and uploads it. `mayUploadTo` says which targets its platform allows:
   * a web page may have to keep to its own origin.
   */
  | { readonly kind: 'phone'; readonly mayUploadTo?: (target: string) => boolean }
  /** Report this error, for instance `CAMERA_BUSY`. */
  | { readonly kind: 'fail'; readonly errorCode: string; readonly errorMessage: string }
  /** Send no response, as when the glasses are out of range. */
  | { readonly kind: 'ignore' }

/** Result of a photo request. */
export type PhotoOutcome =
  | { readonly ok: true; readonly requestId: string; readonly picture: Picture; readonly status: number }
  | {
      readonly ok: false
      readonly requestId: string
      readonly errorCode: string
      readonly errorMessage: string
    }

/** Phones and glasses abort uploads after this time. */
const UPLOAD_TIMEOUT_MS = 30_000

class UploadError extends Error {}

/**
 * Takes the photo that a `photo_request` requests and uploads it to its target (glasses-socket.md §4).
 * @param photoIndex number of the photo, from 0; determines its content
 * @param takePicture the camera
 * @returns the result, or `undefined` if the request is ignored
 */
export async function handlePhotoRequest(
  request: Message,
  behavior: CameraBehavior,
  photoIndex: number,
  takePicture: TakePicture,
): Promise<PhotoOutcome | undefined> {
  const requestId = stringOf(request.requestId)
  if (behavior.kind === 'ignore' || requestId === '') return undefined
  if (behavior.kind === 'fail') {
    return { ok: false, requestId, errorCode: behavior.errorCode, errorMessage: behavior.errorMessage }
  }
  const target = stringOf(request.webhookUrl)
  if (target === '') return uploadFailure(requestId, 'The request has no upload target')
  if (behavior.kind === 'phone' && behavior.mayUploadTo?.(target) === false)
    return uploadFailure(requestId, 'This phone may not upload to that host')
  const { size, compress } = request
  let picture: Picture
  try {
    picture = await takePicture({ index: photoIndex, size: stringOf(size), compress: stringOf(compress) })
  } catch (error) {
    const errorMessage = error instanceof Error ? error.message : String(error)
    return { ok: false, requestId, errorCode: 'CAMERA_FAILED', errorMessage }
  }
  try {
    const status = await upload(
      target,
      stringOf(request.authToken),
      buildForm(requestId, picture, behavior.kind),
    )
    return { ok: true, requestId, picture, status }
  } catch (error) {
    const errorMessage = error instanceof UploadError ? error.message : 'The upload target is unreachable'
    return uploadFailure(requestId, errorMessage)
  }
}

function uploadFailure(requestId: string, errorMessage: string): PhotoOutcome {
  return { ok: false, requestId, errorCode: 'UPLOAD_FAILED', errorMessage }
}

/** The multipart body; glasses and phones use different fields. */
function buildForm(requestId: string, picture: Picture, by: 'direct' | 'phone'): FormData {
  const body = new FormData()
  body.set('requestId', requestId)
  if (by === 'direct') {
    body.set('type', 'photo_upload')
    body.set('success', 'true')
  } else {
    body.set('source', 'ble_transfer')
  }
  const file = new Blob([picture.jpeg], { type: 'image/jpeg' })
  body.set('photo', file, `${requestId}.jpg`)
  return body
}

/**
 * @returns the HTTP status of the accepted upload
 * @throws {UploadError} if the target rejects it
 */
async function upload(target: string, authToken: string, body: FormData): Promise<number> {
  const response = await fetch(target, {
    method: 'POST',
    // Only the token of the request: the phone's own core token must never reach an app.
    headers: authToken === '' ? {} : { authorization: `Bearer ${authToken}` },
    body,
    signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
  })
  await response.body?.cancel()
  if (!response.ok) throw new UploadError(`The upload target returned status ${response.status}`)
  return response.status
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
