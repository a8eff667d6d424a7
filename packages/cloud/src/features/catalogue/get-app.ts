import { appWithScreenshots } from '@glasses-cloud/contract'
import { optionalCoreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { appParams, dataResponse } from '../../http/schemas.ts'
import type { CatalogueEndpointDeps } from './deps.ts'
import { appPath } from './schemas.ts'
import { toStorePage } from './views.ts'

/** Returns the details of an app; 404 for an app the caller may not see (decision C4). */
export const getApp = ({ catalogue }: CatalogueEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: appPath('/:packageName'),
    summary: 'Details of an app',
    tags: ['apps'],
    style: 'envelope',
    auth: optionalCoreToken,
    schema: { params: appParams, response: { 200: dataResponse(appWithScreenshots) } },
    errors: ['APP_NOT_FOUND'],
    invalid: 'APP_NOT_FOUND',
    handler: async ({ caller, params }) => {
      const app = await catalogue.find(params.packageName, caller.kind === 'user' ? caller.user : undefined)
      if (app === undefined) throw fault('APP_NOT_FOUND')
      return { success: true as const, data: toStorePage(app, catalogue.statusOf(app)) }
    },
  })
