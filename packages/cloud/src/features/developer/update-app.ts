import { developerApp } from '@glasses-cloud/contract'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { developerPath } from '../../http/developer-path.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { appParams, dataResponse } from '../../http/schemas.ts'
import { requireOwner } from './access.ts'
import { reload, viewOf } from './app-view.ts'
import type { DeveloperEndpointDeps } from './deps.ts'
import { publicationRequest, readChanges, toChanges } from './manifest-rules.ts'
import { manifestBody } from './schemas.ts'

/** Changes the given fields of an app; running sessions follow the change feed. */
export const updateApp = (deps: DeveloperEndpointDeps) =>
  endpoint({
    method: 'PATCH',
    url: developerPath('/apps/:packageName'),
    summary: 'Change fields of an app',
    tags: ['developer'],
    style: 'coded',
    auth: coreOrPersonalToken('apps:write'),
    schema: { params: appParams, body: manifestBody, response: { 200: dataResponse(developerApp) } },
    errors: ['APP_NOT_FOUND', 'MANIFEST_INVALID'],
    invalid: ({ part }) => (part === 'params' ? 'APP_NOT_FOUND' : 'BAD_REQUEST'),
    handler: async ({ caller: { user }, params, body, log }) => {
      const { apps, images, publishing, now } = deps
      const app = await requireOwner(deps, user, params.packageName)
      const manifest = readChanges(body, user, app)
      const { logoUrl, ...changes } = toChanges(manifest)
      if (logoUrl !== undefined) await images.setLogoUrl(app, logoUrl, log)
      const updated = await apps.update(app.id, changes, now())
      if (updated === undefined) throw fault('APP_NOT_FOUND')
      const request = publicationRequest(manifest, updated.appStoreStatus)
      if (request === 'publish') await publishing.publish(updated)
      else if (request === 'unpublish') await publishing.unpublish(updated)
      else await publishing.permissionsChanged(app, updated)
      return { success: true as const, data: await viewOf(deps, await reload(deps, updated)) }
    },
  })
