import { createValidator, photoRequestId } from '@glasses-cloud/contract'
import type { FastifyRequest } from 'fastify'
import { type Fault, fault } from '../../http/fault.ts'
import { formParts } from '../../http/schemas.ts'
import type { Gallery, PhotoRejection, ReceivedPhoto } from '../gallery/index.ts'

/** Limit of an uploaded photo (decision L4). */
export const MAX_PHOTO_BYTES = 10 * 1024 * 1024

/** Limits of the form. Larger files are truncated; other excess is rejected. */
export const UPLOAD_FORM_LIMITS = {
  files: 1,
  fileSize: MAX_PHOTO_BYTES,
  fields: 20,
  fieldNameSize: 100,
  fieldSize: 16 * 1024,
  headerPairs: 50,
} as const

/** The content of a form. */
interface Upload {
  /** The stored photo, or the reason for its rejection; undefined if the form does not contain a file. */
  readonly photo: ReceivedPhoto | PhotoRejection | undefined
  readonly requestId: string | undefined
}

interface ReadUploadOptions {
  /** Id of the photo request, if the upload token contains it. */
  readonly requestId: string | undefined
  /** Ends the storing of the file. */
  readonly signal: AbortSignal
  /** Called once storing the file has failed and the request id is known, before the rest of the form is read. */
  onStorageFailure(requestId: string): Promise<void>
}

/**
 * Reads the form of an upload and streams its file into the blob store. Fields may be in any order.
 * @throws Fault `BAD_REQUEST` for an invalid form; the error of the blob store. The file is then deleted
 */
export async function readUpload(
  request: FastifyRequest,
  userId: string,
  gallery: Gallery,
  options: ReadUploadOptions,
): Promise<Upload> {
  let photo: Upload['photo']
  let { requestId } = options
  let storageFailure: { readonly error: unknown; isReported: boolean } | undefined
  const reportStorageFailure = async () => {
    if (!storageFailure || storageFailure.isReported || requestId === undefined) return
    storageFailure.isReported = true
    await options.onStorageFailure(requestId)
  }
  try {
    for await (const part of formParts(request)) {
      if (part.type === 'field') {
        if (options.requestId === undefined) {
          if (part.fieldname === 'requestId') requestId = nonEmpty(part.value)
          else if (part.fieldname === 'metadata') requestId ??= requestIdIn(part.value)
        }
        await reportStorageFailure()
        continue
      }
      if (part.fieldname === 'photo' || part.fieldname === 'file') {
        const { file } = part
        try {
          photo = await gallery.receive(userId, file, {
            maxBytes: MAX_PHOTO_BYTES,
            signal: options.signal,
          })
        } catch (error) {
          // A connection that closes during the file also fails the store, but is a client error.
          if (file.errored) throw error
          storageFailure = { error, isReported: false }
          await reportStorageFailure()
        }
        if (file.truncated && typeof photo === 'object') {
          await gallery.discard(photo)
          photo = 'size'
        }
      }
      // The parser continues only once the file was read to its end.
      part.file.resume()
    }
  } catch {
    if (typeof photo === 'object') await gallery.discard(photo)
    throw storageFailure
      ? storageFailure.error
      : fault('BAD_REQUEST', { message: 'The form could not be read' })
  }
  if (storageFailure) throw storageFailure.error
  return { photo, requestId }
}

/** A valid upload, or the reason for its rejection. */
type UploadCheck =
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

/** `metadata` is JSON text, or an object if its part has the content type JSON. */
function requestIdIn(metadata: unknown): string | undefined {
  try {
    const fields: unknown = typeof metadata === 'string' ? JSON.parse(metadata) : metadata
    return typeof fields === 'object' && fields !== null && 'requestId' in fields
      ? nonEmpty(fields.requestId)
      : undefined
  } catch {
    return undefined
  }
}

function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
