import { minVersionResponse } from '@glasses-cloud/contract'
import { none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { PhoneEndpointDeps } from './deps.ts'
import { ack } from './schemas.ts'

/** Returns the required and the recommended version of the phone app; the first request of a phone. */
export const getMinVersion = ({ config, now }: PhoneEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/client/min-version',
    summary: 'Get the required and recommended versions of the phone app',
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
