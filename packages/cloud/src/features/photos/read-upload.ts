import type { FastifyRequest } from 'fastify'
import { fault } from '../../http/fault.ts'
import type { Gallery, PhotoRejection, ReceivedPhoto } from '../gallery/index.ts'

/** Decision L4. */
const MAX_PHOTO_BYTES = 10 * 1024 * 1024

/** Limits of the form; a file beyond them is truncated, and anything else rejected. */
export const uploadLimits = {
  files: 1,
  fileSize: MAX_PHOTO_BYTES,
  fields: 20,
  fieldNameSize: 100,
  fieldSize: 16 * 1024,
  headerPairs: 50,
} as const

/** The content of a form. */
export interface Upload {
  /** The stored photo, or why it was rejected; undefined if the form has no file. */
  readonly photo: ReceivedPhoto | PhotoRejection | undefined
  readonly requestId: string | undefined
}

export interface ReadUploadOptions {
  /** The request of the photo, if it is known before the form is read. */
  readonly requestId: string | undefined
  /** Called as soon as the file could not be stored and its request is known, before the rest of the form is read. */
  storageFailed(requestId: string): Promise<void>
}

/**
 * Reads the form of an upload and streams its file into the blob store. Fields may be in any order.
 * @throws Fault `BAD_REQUEST` for an invalid form; the error of the blob store. Nothing remains stored then
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
    await options.storageFailed(requestId)
  }
  try {
    for await (const part of request.parts()) {
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
          photo = await gallery.receive(userId, file, { maxBytes: MAX_PHOTO_BYTES })
        } catch (error) {
          // A connection that closes in the middle of the file makes the store fail, too.
          if (file.errored) throw error
          storageFailure = { error, isReported: false }
          await reportStorageFailure()
        }
        if (file.truncated && typeof photo === 'object') {
          await gallery.discard(photo)
          photo = 'size'
        }
      }
      // The parser continues only after the file was read to its end.
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
