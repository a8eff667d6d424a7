import { developerApp } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { developerPath } from '../../http/developer-path.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { dataResponse, packageParam } from '../../http/schemas.ts'
import { requireOwner } from './access.ts'
import { IMAGE_NAME_PATTERN } from './app-image-files.ts'
import { reload, viewOf } from './app-view.ts'
import type { DeveloperEndpointDeps } from './deps.ts'

/** Deletes a screenshot of an app. */
export const deleteScreenshot = (deps: DeveloperEndpointDeps) =>
  endpoint({
    method: 'DELETE',
    url: developerPath('/apps/:packageName/screenshots/:image'),
    summary: 'Delete a screenshot of an app',
    tags: ['developer'],
    style: 'coded',
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
  })
