import {
  storageAck,
  storageBody,
  storageKeyParams,
  storageParams,
  storageResponse,
  storageValueBody,
  storageValueResponse,
} from '@glasses-cloud/contract'
import { appPair } from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import type { SimpleStorage } from './simple-storage.ts'

export interface SimpleStorageEndpointDeps {
  readonly storage: SimpleStorage
}

const common = {
  url: '/api/sdk/simple-storage/:email',
  tags: ['storage'],
  style: 'envelope',
  auth: appPair,
  namedUser: { in: 'params', field: 'email', as: 'email' },
} as const

const ofText = { ...common, url: '/api/sdk/simple-storage/:email/:key' } as const

export const storageEndpoints = ({ storage }: SimpleStorageEndpointDeps): Endpoint[] => [
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
  }),
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
  }),
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
  }),
  endpoint({
    ...ofText,
    method: 'GET',
    summary: 'Get one text an app stores for a user',
    schema: { params: storageKeyParams, response: { 200: storageValueResponse } },
    errors: ['STORAGE_FORBIDDEN', 'STORAGE_KEY_NOT_FOUND'],
    handler: async ({ caller: { app }, params: { email, key } }) => {
      const document = await storage.authorize(app, email)
      return { success: true as const, data: { value: await storage.get(document, key) } }
    },
  }),
  endpoint({
    ...ofText,
    method: 'PUT',
    summary: 'Store one text of an app for a user',
    schema: { params: storageKeyParams, body: storageValueBody, response: { 200: storageAck } },
    errors: ['STORAGE_FORBIDDEN', 'STORAGE_FULL'],
    handler: async ({ caller: { app }, params: { email, key }, body }) => {
      const document = await storage.authorize(app, email)
      await storage.merge(document, Object.fromEntries([[key, body.value]]))
      return { success: true as const }
    },
  }),
  endpoint({
    ...ofText,
    method: 'DELETE',
    summary: 'Delete one text an app stores for a user',
    schema: { params: storageKeyParams, response: { 200: storageAck } },
    errors: ['STORAGE_FORBIDDEN', 'STORAGE_KEY_NOT_FOUND'],
    handler: async ({ caller: { app }, params: { email, key } }) => {
      const document = await storage.authorize(app, email)
      await storage.remove(document, key)
      return { success: true as const }
    },
  }),
]
