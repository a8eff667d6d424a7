import { newApiKey } from '@glasses-cloud/contract'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { developerPath } from '../../http/developer-path.ts'
import { endpoint } from '../../http/endpoint.ts'
import { appParams, dataResponse } from '../../http/schemas.ts'
import { requireOwner } from './access.ts'
import type { DeveloperEndpointDeps } from './deps.ts'
import { createKey } from './new-key.ts'

/** Creates an API key beside the newest one. Of two other keys the older one is revoked and its sockets are closed. */
export const rotateKey = (deps: DeveloperEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: developerPath('/apps/:packageName/keys', '/apps/:packageName/api-key'),
    summary: 'Create another API key of an app; at most two are live',
    tags: ['developer'],
    style: 'coded',
    auth: coreOrPersonalToken('apps:write'),
    schema: { params: appParams, response: { 200: dataResponse(newApiKey) } },
    errors: ['APP_NOT_FOUND'],
    invalid: 'APP_NOT_FOUND',
    handler: async ({ caller: { user }, params }) => {
      const app = await requireOwner(deps, user, params.packageName)
      const key = await createKey(deps, app)
      await deps.changes.catchUp()
      return { success: true as const, data: key }
    },
  })
