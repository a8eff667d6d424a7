import { developerApp } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { developerPath } from '../../http/developer-path.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { requireOwner } from './access.ts'
import { reload, viewOf } from './app-view.ts'
import type { ConsoleEndpointDeps } from './deps.ts'
import { imageFormLimits, readImage } from './read-image.ts'
import { appParams, dataResponse, tags } from './schemas.ts'

const form = Type.Object({
  file: Type.String({
    format: 'binary',
    description: 'PNG, JPEG or WebP, 100 to 4096 pixels, at most 4 MiB',
  }),
})

/** Adds a screenshot to an app. */
export const uploadScreenshot = (deps: ConsoleEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: developerPath('/apps/:packageName/screenshots'),
    summary: 'Add a screenshot to an app: a multipart form with the image as file',
    tags,
    style: 'envelope',
    auth: coreOrPersonalToken('apps:write'),
    schema: { params: appParams, response: { 200: dataResponse(developerApp) } },
    media: { form },
    errors: [
      'APP_NOT_FOUND',
      'UNSUPPORTED_MEDIA_TYPE',
      'IMAGE_REQUIRED',
      'IMAGE_INVALID',
      'IMAGE_TOO_LARGE',
      'IMAGE_DIMENSIONS',
      'TOO_MANY_SCREENSHOTS',
    ],
    invalid: 'APP_NOT_FOUND',
    limits: { form: imageFormLimits('screenshot') },
    handler: async ({ caller: { user }, params, request, log }) => {
      const app = await requireOwner(deps, user, params.packageName)
      const { image, extension } = await readImage(request, 'screenshot')
      if (!(await deps.images.addScreenshot(app, image, extension, log))) throw fault('TOO_MANY_SCREENSHOTS')
      return { success: true as const, data: await viewOf(deps, await reload(deps, app)) }
    },
  })
