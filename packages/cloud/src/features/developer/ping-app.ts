import { appPing } from '@glasses-cloud/contract'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { developerPath } from '../../http/developer-path.ts'
import { endpoint } from '../../http/endpoint.ts'
import { appParams, dataResponse } from '../../http/schemas.ts'
import { requireOwner } from './access.ts'
import type { DeveloperEndpointDeps } from './deps.ts'

/** Tests the connection between the cloud and an app. Needs `apps:write`, because it starts the app for the caller. */
export const pingApp = (deps: DeveloperEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: developerPath('/apps/:packageName/ping'),
    summary: 'Test the connection between the cloud and an app, hop by hop',
    tags: ['developer'],
    style: 'coded',
    auth: coreOrPersonalToken('apps:write'),
    schema: { params: appParams, response: { 200: dataResponse(appPing) } },
    errors: ['APP_NOT_FOUND'],
    invalid: 'APP_NOT_FOUND',
    handler: async ({ caller: { user }, params }) => {
      const app = await requireOwner(deps, user, params.packageName)
      return { success: true as const, data: await deps.pings.ping(user, app) }
    },
  })
