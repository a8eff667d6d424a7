import { Type } from 'typebox'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { developerPath } from '../../http/developer-path.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { packageParam, successResponse } from '../../http/schemas.ts'
import { requireOwner } from './access.ts'
import type { DeveloperEndpointDeps } from './deps.ts'

/** Revokes an API key and closes the sockets that were opened with it. */
export const revokeKey = (deps: DeveloperEndpointDeps) =>
  endpoint({
    method: 'DELETE',
    url: developerPath('/apps/:packageName/keys/:keyId'),
    summary: 'Revoke an API key of an app',
    tags: ['developer'],
    style: 'coded',
    auth: coreOrPersonalToken('apps:write'),
    schema: {
      params: Type.Object({ ...packageParam, keyId: Type.String({ pattern: '^[A-Za-z0-9]{1,64}$' }) }),
      response: { 200: successResponse },
    },
    errors: ['APP_NOT_FOUND', 'API_KEY_NOT_FOUND'],
    invalid: ({ field }) => (field === 'keyId' ? 'API_KEY_NOT_FOUND' : 'APP_NOT_FOUND'),
    handler: async ({ caller: { user }, params }) => {
      const { apiKeyStore, changes } = deps
      const app = await requireOwner(deps, user, params.packageName)
      const key = await apiKeyStore.findByKeyId(params.keyId)
      if (key?.appId !== app.id || !(await apiKeyStore.remove(params.keyId))) throw fault('API_KEY_NOT_FOUND')
      // Closes the sockets of the key on this node now, on others within a second.
      await changes.catchUp()
      return { success: true as const }
    },
  })
