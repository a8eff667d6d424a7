import { apiKeyInfo, newApiKey } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { appParams, dataResponse, developerPath, packageParam, successResponse } from '../../http/schemas.ts'
import { lastUseView } from '../../identity/index.ts'
import { requireOwner } from './access.ts'
import { createKey, type DeveloperEndpointDeps } from './app-endpoints.ts'

const common = { tags: ['developer'], style: 'coded' } as const

export const keyEndpoints = (deps: DeveloperEndpointDeps): Endpoint[] => [
  endpoint({
    ...common,
    method: 'GET',
    url: developerPath('/apps/:packageName/keys'),
    summary: 'List the API keys of an app',
    auth: coreOrPersonalToken('apps:read'),
    schema: { params: appParams, response: { 200: dataResponse(Type.Array(apiKeyInfo)) } },
    errors: ['APP_NOT_FOUND'],
    invalid: 'APP_NOT_FOUND',
    handler: async ({ caller: { user }, params }) => {
      const app = await requireOwner(deps, user, params.packageName)
      const keys = await deps.apiKeyStore.list(app.id)
      return {
        success: true as const,
        data: keys.map(({ keyId, createdAt, lastUse, isSigning }) => ({
          id: keyId,
          isSigning,
          createdAt: new Date(createdAt).toISOString(),
          ...lastUseView(lastUse),
        })),
      }
    },
  }),
  // Creates an API key beside the newest one. Of two other keys the older one is revoked and its sockets are
  // closed.
  endpoint({
    ...common,
    method: 'POST',
    url: developerPath('/apps/:packageName/keys', '/apps/:packageName/api-key'),
    summary: 'Create another API key of an app; at most two are live',
    auth: coreOrPersonalToken('apps:write'),
    schema: { params: appParams, response: { 200: dataResponse(newApiKey) } },
    errors: ['APP_NOT_FOUND'],
    invalid: 'APP_NOT_FOUND',
    handler: async ({ caller: { user }, params }) => {
      const app = await requireOwner(deps, user, params.packageName)
      const key = await createKey(deps, user, app)
      await deps.changes.catchUp()
      return { success: true as const, data: key }
    },
  }),
  endpoint({
    ...common,
    method: 'DELETE',
    url: developerPath('/apps/:packageName/keys/:keyId'),
    summary: 'Revoke an API key of an app',
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
  }),
]
