import { apiKeyInfo } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { developerPath } from '../../http/developer-path.ts'
import { endpoint } from '../../http/endpoint.ts'
import { appParams, dataResponse } from '../../http/schemas.ts'
import { lastUseView } from '../../identity/index.ts'
import { requireOwner } from './access.ts'
import type { DeveloperEndpointDeps } from './deps.ts'

/** Lists the live API keys of an app, newest first, without the keys themselves. */
export const listKeys = (deps: DeveloperEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: developerPath('/apps/:packageName/keys'),
    summary: 'List the API keys of an app',
    tags: ['developer'],
    style: 'coded',
    auth: coreOrPersonalToken('apps:read'),
    schema: { params: appParams, response: { 200: dataResponse(Type.Array(apiKeyInfo)) } },
    errors: ['APP_NOT_FOUND'],
    invalid: 'APP_NOT_FOUND',
    handler: async ({ caller: { user }, params }) => {
      const app = await requireOwner(deps, user, params.packageName)
      const keys = await deps.apiKeyStore.list(app.id)
      return {
        success: true as const,
        data: keys.map(({ keyId, createdAt, lastUse }) => ({
          id: keyId,
          createdAt: new Date(createdAt).toISOString(),
          ...lastUseView(lastUse),
        })),
      }
    },
  })
