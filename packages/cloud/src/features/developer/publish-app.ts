import { developerApp } from '@glasses-cloud/contract'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { developerPath } from '../../http/developer-path.ts'
import { endpoint } from '../../http/endpoint.ts'
import { appParams, dataResponse } from '../../http/schemas.ts'
import { requireOwner } from './access.ts'
import { reload, viewOf } from './app-view.ts'
import type { DeveloperEndpointDeps } from './deps.ts'

/** Publishes an app; with APP_REVIEW=on it is submitted for review first. */
export const publishApp = (deps: DeveloperEndpointDeps) =>
  publication(deps, 'publish', 'Publish an app, or submit it for review')

/** Takes an app out of the store, or out of review. */
export const unpublishApp = (deps: DeveloperEndpointDeps) =>
  publication(deps, 'unpublish', 'Take an app out of the store')

const publication = (deps: DeveloperEndpointDeps, verb: 'publish' | 'unpublish', summary: string) =>
  endpoint({
    method: 'POST',
    url: developerPath(`/apps/:packageName/${verb}`),
    summary,
    tags: ['developer'],
    style: 'coded',
    auth: coreOrPersonalToken('apps:write'),
    schema: { params: appParams, response: { 200: dataResponse(developerApp) } },
    errors: ['APP_NOT_FOUND'],
    invalid: 'APP_NOT_FOUND',
    handler: async ({ caller: { user }, params }) => {
      const app = await requireOwner(deps, user, params.packageName)
      await deps.publishing[verb](app)
      return { success: true as const, data: await viewOf(deps, await reload(deps, app)) }
    },
  })
