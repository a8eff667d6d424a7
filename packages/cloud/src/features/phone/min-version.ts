import { minVersionResponse } from '@glasses-cloud/contract'
import { none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ack } from './schemas.ts'

/** Which versions of the phone app this cloud asks for; the first thing that phones ask. */
export const getMinVersion = endpoint({
  method: 'GET',
  url: '/api/client/min-version',
  summary: 'Versions of the phone app that this cloud asks for',
  tags: ['phone'],
  style: 'bare',
  auth: none,
  schema: { response: { 200: minVersionResponse } },
  errors: [],
  handler: async ({ services: { config, now } }) => ({
    ...ack(now()),
    data: { required: config.phones.requiredVersion, recommended: config.phones.recommendedVersion },
  }),
})
