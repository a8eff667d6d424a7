import { minVersionResponse } from '@glasses-cloud/contract'
import { none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { PhoneEndpointDeps } from './deps.ts'
import { ack } from './schemas.ts'

/** Which versions of the phone app this cloud asks for; the first thing that phones ask. */
export const getMinVersion = ({ config, now }: PhoneEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/client/min-version',
    summary: 'Versions of the phone app that this cloud asks for',
    tags: ['phone'],
    style: 'bare',
    auth: none,
    schema: { response: { 200: minVersionResponse } },
    errors: [],
    handler: async () => ({
      ...ack(now()),
      data: { required: config.phones.requiredVersion, recommended: config.phones.recommendedVersion },
    }),
  })
