import { storageAck, storageBody, storageParams, storageResponse } from '@glasses-cloud/contract'
import { appPair } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { SimpleStorageEndpointDeps } from './deps.ts'

const common = {
  url: '/api/sdk/simple-storage/:email',
  tags: ['storage'],
  style: 'envelope',
  auth: appPair,
  namedUser: { in: 'params', field: 'email', as: 'email' },
} as const

export const getStorage = ({ storage }: SimpleStorageEndpointDeps) =>
  endpoint({
    ...common,
    method: 'GET',
    summary: 'Get everything an app stores for a user',
    schema: { params: storageParams, response: { 200: storageResponse } },
    errors: ['STORAGE_FORBIDDEN'],
    handler: async ({ caller: { app }, params: { email } }) => {
      const document = await storage.authorize(app, email)
      return { success: true as const, data: { ...(await storage.all(document)) } }
    },
  })

export const putStorage = ({ storage }: SimpleStorageEndpointDeps) =>
  endpoint({
    ...common,
    method: 'PUT',
    summary: 'Merge texts into what an app stores for a user',
    schema: { params: storageParams, body: storageBody, response: { 200: storageAck } },
    verbatimKeys: true,
    errors: ['STORAGE_FORBIDDEN', 'STORAGE_FULL'],
    handler: async ({ caller: { app }, params: { email }, body }) => {
      const document = await storage.authorize(app, email)
      await storage.merge(document, body.data)
      return { success: true as const }
    },
  })

export const deleteStorage = ({ storage }: SimpleStorageEndpointDeps) =>
  endpoint({
    ...common,
    method: 'DELETE',
    summary: 'Delete everything an app stores for a user',
    schema: { params: storageParams, response: { 200: storageAck } },
    errors: ['STORAGE_FORBIDDEN', 'STORAGE_EMPTY'],
    handler: async ({ caller: { app }, params: { email } }) => {
      const document = await storage.authorize(app, email)
      await storage.clear(document)
      return { success: true as const }
    },
  })
