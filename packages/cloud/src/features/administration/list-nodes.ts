import { adminNode } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { administrator } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { dataResponse } from '../../http/schemas.ts'
import type { AdministrationEndpointDeps } from './deps.ts'

/** Lists the nodes of the cloud. */
export const listNodes = ({ nodes }: AdministrationEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/admin/nodes',
    summary: 'List nodes',
    tags: ['administration'],
    style: 'coded',
    auth: administrator,
    schema: { response: { 200: dataResponse(Type.Array(adminNode)) } },
    errors: [],
    handler: async () => ({ success: true as const, data: nodes.list() }),
  })
