import { storageAck, storageKeyParams, storageValueBody, storageValueResponse } from '@glasses-cloud/contract'
import { appPair } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { SimpleStorageEndpointDeps } from './deps.ts'

const common = {
  url: '/api/sdk/simple-storage/:email/:key',
  tags: ['storage'],
  style: 'envelope',
  auth: appPair,
  namedUser: { in: 'params', field: 'email', as: 'email' },
} as const

export const getText = ({ storage }: SimpleStorageEndpointDeps) =>
  endpoint({
    ...common,
    method: 'GET',
    summary: 'Get one text an app stores for a user',
    schema: { params: storageKeyParams, response: { 200: storageValueResponse } },
    errors: ['STORAGE_FORBIDDEN', 'STORAGE_KEY_NOT_FOUND'],
    handler: async ({ caller: { app }, params: { email, key } }) => {
      const document = await storage.authorize(app, email)
      return { success: true as const, data: { value: await storage.get(document, key) } }
    },
  })

export const putText = ({ storage }: SimpleStorageEndpointDeps) =>
  endpoint({
    ...common,
    method: 'PUT',
    summary: 'Store one text of an app for a user',
    schema: { params: storageKeyParams, body: storageValueBody, response: { 200: storageAck } },
    errors: ['STORAGE_FORBIDDEN', 'STORAGE_FULL'],
    handler: async ({ caller: { app }, params: { email, key }, body }) => {
      const document = await storage.authorize(app, email)
      await storage.merge(document, Object.fromEntries([[key, body.value]]))
      return { success: true as const }
    },
  })

export const deleteText = ({ storage }: SimpleStorageEndpointDeps) =>
  endpoint({
    ...common,
    method: 'DELETE',
    summary: 'Delete one text an app stores for a user',
    schema: { params: storageKeyParams, response: { 200: storageAck } },
    errors: ['STORAGE_FORBIDDEN', 'STORAGE_KEY_NOT_FOUND'],
    handler: async ({ caller: { app }, params: { email, key } }) => {
      const document = await storage.authorize(app, email)
      await storage.remove(document, key)
      return { success: true as const }
    },
  })
