import type { FastifyRequest } from 'fastify'
import { fault } from '../../http/fault.ts'
import type { Gallery, NoPhoto, ReceivedPhoto } from '../gallery/index.ts'

/** Largest photo in bytes (decision L4). */
const MAX_PHOTO = 10 * 1024 * 1024

/** What a form may hold; what is beyond is refused or cut off. */
export const uploadLimits = {
  files: 1,
  fileSize: MAX_PHOTO,
  fields: 20,
  fieldNameSize: 100,
  fieldSize: 16 * 1024,
  headerPairs: 50,
} as const

/** What a form held. */
export interface Upload {
  /** The photo, its file stored; or why it is none; undefined where the form held no file. */
  readonly photo: ReceivedPhoto | NoPhoto | undefined
  readonly requestId: string | undefined
}

/**
 * Reads the form of an upload to its end, the file straight into the store. Fields may come in any order.
 * @throws Fault for a form that cannot be read; the error of the store. Nothing is left behind then
 */
export async function readUpload(request: FastifyRequest, userId: string, gallery: Gallery): Promise<Upload> {
  let photo: Upload['photo']
  let requestId: string | undefined
  let storing: unknown
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        if (part.fieldname === 'requestId') requestId = textOf(part.value)
        else if (part.fieldname === 'metadata') requestId ??= requestIdIn(part.value)
        continue
      }
      if (part.fieldname === 'photo' || part.fieldname === 'file') {
        const { file } = part
        photo = await gallery.receive(userId, file, { maxBytes: MAX_PHOTO }).catch((error: unknown) => {
          // A form that breaks off in the middle of its file fails the store too, but is not its fault.
          if (!file.errored) storing = error
          throw error
        })
        if (part.file.truncated && typeof photo === 'object') {
          await gallery.discard(photo)
          photo = 'size'
        }
      }
      // Whatever was not read; the form goes on behind it.
      part.file.resume()
    }
    return { photo, requestId }
  } catch {
    if (typeof photo === 'object') await gallery.discard(photo)
    throw storing ?? fault('BAD_REQUEST', { message: 'The form could not be read' })
  }
}

/** `metadata` is JSON text, or an object where its part says that it is JSON. */
function requestIdIn(metadata: unknown): string | undefined {
  try {
    const fields: unknown = typeof metadata === 'string' ? JSON.parse(metadata) : metadata
    return typeof fields === 'object' && fields !== null && 'requestId' in fields
      ? textOf(fields.requestId)
      : undefined
  } catch {
    return undefined
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
