import { APP_IMAGE_LIMITS, developerApp } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { developerPath } from '../../http/developer-path.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { appParams, dataResponse } from '../../http/schemas.ts'
import { requireOwner } from './access.ts'
import type { ImageKind } from './app-image-files.ts'
import { reload, viewOf } from './app-view.ts'
import type { DeveloperEndpointDeps } from './deps.ts'
import { imageFormLimits, readImage } from './read-image.ts'

/** Replaces the logo of an app by an uploaded image. */
export const uploadLogo = (deps: DeveloperEndpointDeps) =>
  imageUpload(deps, {
    kind: 'logo',
    path: '/logo',
    summary: 'Upload the logo of an app: a multipart form with the image as file',
    add: 'setLogo',
    rejection: 'APP_NOT_FOUND',
  })

/** Adds a screenshot to an app. */
export const uploadScreenshot = (deps: DeveloperEndpointDeps) =>
  imageUpload(deps, {
    kind: 'screenshot',
    path: '/screenshots',
    summary: 'Add a screenshot to an app: a multipart form with the image as file',
    add: 'addScreenshot',
    rejection: 'TOO_MANY_SCREENSHOTS',
  })

interface ImageUploadOptions {
  readonly kind: ImageKind
  /** Below the path of the app. */
  readonly path: string
  readonly summary: string
  readonly add: 'setLogo' | 'addScreenshot'
  /** Error if the image was not added. */
  readonly rejection: 'APP_NOT_FOUND' | 'TOO_MANY_SCREENSHOTS'
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
