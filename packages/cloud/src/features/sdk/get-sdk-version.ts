import { sdkVersionResponse } from '@glasses-cloud/contract'
import { none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { SdkEndpointDeps } from './deps.ts'

/** The version of the app SDK that this cloud is tested with; the oldest that it is known to serve. */
const versions = { required: '2.1.29', latest: '2.1.29' }

/** Which versions of the app SDK fit this cloud. Nobody else is asked. */
export const getSdkVersion = ({ now }: SdkEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/sdk/version',
    summary: 'Versions of the app SDK that fit this cloud',
    tags: ['sdk'],
    style: 'bare',
    auth: none,
    schema: { response: { 200: sdkVersionResponse } },
    errors: [],
    handler: async () => ({
      success: true as const,
      data: versions,
      timestamp: new Date(now()).toISOString(),
    }),
  })
