import { developerApp } from '@glasses-cloud/contract'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { developerPath } from '../../http/developer-path.ts'
import { endpoint } from '../../http/endpoint.ts'
import { requireOwner } from './access.ts'
import { reload, viewOf } from './app-view.ts'
import type { ConsoleEndpointDeps } from './deps.ts'
import { appParams, dataResponse, tags } from './schemas.ts'

/** Takes an app out of the store, or out of review. */
export const unpublishApp = (deps: ConsoleEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: developerPath('/apps/:packageName/unpublish'),
    summary: 'Take an app out of the store',
    tags,
    style: 'envelope',
    auth: coreOrPersonalToken('apps:write'),
    schema: { params: appParams, response: { 200: dataResponse(developerApp) } },
    errors: ['APP_NOT_FOUND'],
    invalid: 'APP_NOT_FOUND',
    handler: async ({ caller: { user }, params }) => {
      const app = await requireOwner(deps, user, params.packageName)
      await deps.publishing.unpublish(app)
      return { success: true as const, data: await viewOf(deps, await reload(deps, app)) }
    },
  })
