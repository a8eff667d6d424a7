import { sdkVersionResponse } from '@glasses-cloud/contract'
import { none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { SdkEndpointDeps } from './deps.ts'

/** Version of the app SDK that this cloud is tested with. */
const SDK_VERSIONS = { required: '2.1.29', latest: '2.1.29' }

/** Returns the versions of the app SDK that this cloud supports. */
export const getSdkVersion = ({ now }: SdkEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/sdk/version',
    summary: 'Get the versions of the app SDK that this cloud supports',
    tags: ['sdk'],
    style: 'bare',
    auth: none,
    schema: { response: { 200: sdkVersionResponse } },
    errors: [],
    handler: async () => ({
      success: true as const,
      data: SDK_VERSIONS,
      timestamp: new Date(now()).toISOString(),
    }),
  })
