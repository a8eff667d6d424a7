import { storageAck, storageBody, storageParams, storageResponse } from '@glasses-cloud/contract'
import { appPair } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { SimpleStorageEndpointDeps } from './deps.ts'

const common = {
  url: '/api/sdk/simple-storage/:email',
  tags: ['storage'],
  style: 'envelope',
  auth: appPair,
} as const

/** Everything the app stores for a user. */
export const getStorage = ({ storage }: SimpleStorageEndpointDeps) =>
  endpoint({
    ...common,
    method: 'GET',
    summary: 'Everything an app stores for a user',
    schema: { params: storageParams, response: { 200: storageResponse } },
    errors: ['STORAGE_FORBIDDEN'],
    handler: async ({ caller: { app }, params: { email } }) => {
      const place = await storage.open(app, email)
      return { success: true as const, data: { ...(await storage.all(place)) } }
    },
  })

/** Merges texts into what the app stores for a user. */
export const putStorage = ({ storage }: SimpleStorageEndpointDeps) =>
  endpoint({
    ...common,
    method: 'PUT',
    summary: 'Merge texts into what an app stores for a user',
    schema: { params: storageParams, body: storageBody, response: { 200: storageAck } },
    verbatimKeys: true,
    errors: ['STORAGE_FORBIDDEN', 'STORAGE_FULL'],
    handler: async ({ caller: { app }, params: { email }, body }) => {
      const place = await storage.open(app, email)
      await storage.merge(place, body.data)
      return { success: true as const }
    },
  })

/** Removes everything the app stores for a user. */
export const deleteStorage = ({ storage }: SimpleStorageEndpointDeps) =>
  endpoint({
    ...common,
    method: 'DELETE',
    summary: 'Remove everything an app stores for a user',
    schema: { params: storageParams, response: { 200: storageAck } },
    errors: ['STORAGE_FORBIDDEN', 'STORAGE_EMPTY'],
    handler: async ({ caller: { app }, params: { email } }) => {
      const place = await storage.open(app, email)
      await storage.clear(place)
      return { success: true as const }
    },
  })
