import { APP_IMAGE_LIMITS, developerApp, PHOTO_TYPES } from '@glasses-cloud/contract'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { coreOrPersonalToken, none } from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { appParams, dataResponse, developerPath, formParts, packageParam } from '../../http/schemas.ts'
import { requireOwner } from './access.ts'
import type { DeveloperEndpointDeps } from './app-endpoints.ts'
import { checkImage, IMAGE_NAME_PATTERN, IMAGE_PATH, IMAGE_TYPES, type ImageKind } from './app-image-files.ts'
import { reload, viewOf } from './app-view.ts'

/**
 * Requests for images of one address, in relation to other requests: a first visit to the store loads up to 50, and a
 * school or a company opens it at many places.
 */
const LIMIT_FACTOR = 200

interface ImageUploadOptions {
  readonly kind: ImageKind
  /** Below the path of the app. */
  readonly path: string
  readonly summary: string
  readonly add: 'setLogo' | 'addScreenshot'
  /** Error if the image was not added. */
  readonly rejection: 'APP_NOT_FOUND' | 'TOO_MANY_SCREENSHOTS'
}

const common = { tags: ['developer'], style: 'coded' } as const

export function imageEndpoints(deps: DeveloperEndpointDeps): Endpoint[] {
  const { images } = deps
  return [
    imageUpload(deps, {
      kind: 'logo',
      path: '/logo',
      summary: 'Upload the logo of an app: a multipart form with the image as file',
      add: 'setLogo',
      rejection: 'APP_NOT_FOUND',
    }),
    imageUpload(deps, {
      kind: 'screenshot',
      path: '/screenshots',
      summary: 'Add a screenshot to an app: a multipart form with the image as file',
      add: 'addScreenshot',
      rejection: 'TOO_MANY_SCREENSHOTS',
    }),
    // Serves a logo or screenshot. Its name is unguessable and never reused.
    endpoint({
      ...common,
      method: 'GET',
      url: `${IMAGE_PATH}:image`,
      summary: 'Get the logo or a screenshot of an app',
      auth: none,
      schema: {
        params: Type.Object({ image: Type.String({ pattern: IMAGE_NAME_PATTERN }) }),
        response: { 200: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) },
      },
      media: { contentTypes: PHOTO_TYPES },
      errors: ['IMAGE_NOT_FOUND'],
      invalid: 'IMAGE_NOT_FOUND',
      limits: { perMinute: ({ limits }) => limits.requestsPerMinute * LIMIT_FACTOR },
      handler: async ({ params: { image }, reply }) => {
        const file = await images.open(image)
        if (file === undefined) throw fault('IMAGE_NOT_FOUND')
        return reply
          .headers({
            'content-type': IMAGE_TYPES[image.slice(image.lastIndexOf('.') + 1)],
            'content-length': file.size,
            'cache-control': 'public, max-age=31536000, immutable',
          })
          .send(file.stream)
      },
    }),
    endpoint({
      ...common,
      method: 'DELETE',
      url: developerPath('/apps/:packageName/screenshots/:image'),
      summary: 'Delete a screenshot of an app',
      auth: coreOrPersonalToken('apps:write'),
      schema: {
        params: Type.Object({
          ...packageParam,
          image: Type.String({ pattern: IMAGE_NAME_PATTERN, description: 'Last part of the URL' }),
        }),
        response: { 200: dataResponse(developerApp) },
      },
      errors: ['APP_NOT_FOUND', 'IMAGE_NOT_FOUND'],
      invalid: ({ field }) => (field === 'image' ? 'IMAGE_NOT_FOUND' : 'APP_NOT_FOUND'),
      handler: async ({ caller: { user }, params, log }) => {
        const app = await requireOwner(deps, user, params.packageName)
        if (!(await deps.images.deleteScreenshot(app, params.image, log))) throw fault('IMAGE_NOT_FOUND')
        return { success: true as const, data: await viewOf(deps, await reload(deps, app)) }
      },
    }),
  ]
}

const imageUpload = (
  deps: DeveloperEndpointDeps,
  { kind, path, summary, add, rejection }: ImageUploadOptions,
) =>
  endpoint({
    method: 'POST',
    url: developerPath(`/apps/:packageName${path}`),
    summary,
    tags: ['developer'],
    style: 'coded',
    auth: coreOrPersonalToken('apps:write'),
    schema: { params: appParams, response: { 200: dataResponse(developerApp) } },
    media: { form: imageForm(kind) },
    errors: [
      'APP_NOT_FOUND',
      'UNSUPPORTED_MEDIA_TYPE',
      'IMAGE_REQUIRED',
      'IMAGE_INVALID',
      'IMAGE_TOO_LARGE',
      'IMAGE_DIMENSIONS',
      rejection,
    ],
    invalid: 'APP_NOT_FOUND',
    limits: { form: imageFormLimits(kind) },
    handler: async ({ caller: { user }, params, request, log }) => {
      const app = await requireOwner(deps, user, params.packageName)
      const { image, extension } = await readImage(request, kind)
      if (!(await deps.images[add](app, image, extension, log))) throw fault(rejection)
      return { success: true as const, data: await viewOf(deps, await reload(deps, app)) }
    },
  })

function imageForm(kind: ImageKind) {
  const { bytes, minPixels, maxPixels } = APP_IMAGE_LIMITS[kind]
  const description = `PNG, JPEG or WebP, ${minPixels} to ${maxPixels} pixels, at most ${bytes / 1024 / 1024} MiB`
  return Type.Object({ file: Type.String({ format: 'binary', description }) })
}

/** Limits of the form of an image. A larger file is truncated. */
const imageFormLimits = (kind: ImageKind) => ({
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
async function readImage(
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
    for await (const part of formParts(request)) {
      if (part.type !== 'file') continue
      if (part.fieldname === 'file') image = Buffer.concat(await part.file.toArray())
      else part.file.resume()
    }
  } catch (cause) {
    throw fault('BAD_REQUEST', { message: 'The form could not be read', cause })
  }
  return image
}
