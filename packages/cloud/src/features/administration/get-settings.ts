import { Type } from 'typebox'
import { administrator } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { dataResponse } from '../../http/schemas.ts'
import type { AdministrationEndpointDeps } from './deps.ts'
import { withoutSecrets } from './without-secrets.ts'

/** Returns the settings in force, without secrets. */
export const getSettings = ({ config }: AdministrationEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/admin/settings',
    summary: 'Get the settings in force, without secrets',
    tags: ['administration'],
    style: 'coded',
    auth: administrator,
    schema: { response: { 200: dataResponse(Type.Record(Type.String(), Type.Unknown())) } },
    errors: [],
    handler: async () => ({
      success: true as const,
      data: withoutSecrets(config) as Record<string, unknown>,
    }),
  })
