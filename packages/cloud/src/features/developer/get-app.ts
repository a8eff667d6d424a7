import { developerApp } from '@glasses-cloud/contract'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { developerPath } from '../../http/developer-path.ts'
import { endpoint } from '../../http/endpoint.ts'
import { appParams, dataResponse } from '../../http/schemas.ts'
import { requireOwner } from './access.ts'
import { viewOf } from './app-view.ts'
import type { DeveloperEndpointDeps } from './deps.ts'

/** Returns an app of the caller with its manifest. */
export const getOwnApp = (deps: DeveloperEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: developerPath('/apps/:packageName'),
    summary: 'Get one of your apps',
    tags: ['developer'],
    style: 'coded',
    auth: coreOrPersonalToken('apps:read'),
    schema: { params: appParams, response: { 200: dataResponse(developerApp) } },
    errors: ['APP_NOT_FOUND'],
    invalid: 'APP_NOT_FOUND',
    handler: async ({ caller: { user }, params }) => {
      const app = await requireOwner(deps, user, params.packageName)
      return { success: true as const, data: await viewOf(deps, app) }
    },
  })
