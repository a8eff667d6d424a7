import { APP_IMAGE_LIMITS } from '@glasses-cloud/contract'
import type { FastifyRequest } from 'fastify'
import { fault } from '../../http/fault.ts'
import { checkImage, type ImageKind } from './app-image-files.ts'

/** Limits of the form of an image. A larger file is truncated. */
export const imageFormLimits = (kind: ImageKind) => ({
  files: 1,
  fileSize: APP_IMAGE_LIMITS[kind].bytes + 1,
  fields: 5,
  fieldNameSize: 100,
  fieldSize: 1_000,
  headerPairs: 50,
})

/**
 * Reads the file of a form and checks that it is an image.
 * @throws Fault for a form without a valid image
 */
export async function readImage(
  request: FastifyRequest,
  kind: ImageKind,
): Promise<{ readonly image: Buffer; readonly extension: string }> {
  if (!request.isMultipart()) throw fault('UNSUPPORTED_MEDIA_TYPE')
  const image = await readFile(request)
  if (image === undefined) throw fault('IMAGE_REQUIRED')
  const checked = checkImage(image, kind)
  if ('extension' in checked) return { image, extension: checked.extension }
  const { bytes, minPixels, maxPixels } = APP_IMAGE_LIMITS[kind]
  const messages = {
    IMAGE_INVALID: undefined,
    IMAGE_TOO_LARGE: `A ${kind} may have at most ${bytes / 1024 / 1024} MiB`,
    IMAGE_DIMENSIONS: `A ${kind} must have ${minPixels} to ${maxPixels} pixels on each side`,
  }
  const message = messages[checked.rejection]
  throw fault(checked.rejection, message === undefined ? {} : { message })
}

async function readFile(request: FastifyRequest): Promise<Buffer | undefined> {
  let image: Buffer | undefined
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') continue
      if (part.fieldname === 'file') image = Buffer.concat(await part.file.toArray())
      else part.file.resume()
    }
  } catch (cause) {
    throw fault('BAD_REQUEST', { message: 'The form could not be read', cause })
  }
  return image
}
