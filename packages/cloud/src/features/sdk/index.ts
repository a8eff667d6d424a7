import { appPermissions, SINGLE_LINE_PATTERN, sdkVersionResponse } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import type { Feature } from '../../feature.ts'
import { none } from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { Catalogue } from '../catalogue/index.ts'

/** Endpoints that the app SDK requires of a cloud (app-socket.md §3.1). */
export function createSdk(deps: SdkDeps): Feature {
  return { name: 'sdk', endpoints: sdkEndpoints(deps) }
}

export interface SdkDeps {
  readonly catalogue: Catalogue
  /** Epoch ms. */
  readonly now: () => number
}

/** Version of the app SDK that this cloud is tested with. */
const SDK_VERSIONS = { required: '2.1.29', latest: '2.1.29' }

const common = { tags: ['sdk'], style: 'bare', auth: none } as const

const sdkEndpoints = ({ catalogue, now }: SdkDeps): Endpoint[] => [
  endpoint({
    ...common,
    method: 'GET',
    url: '/api/sdk/version',
    summary: 'Get the versions of the app SDK that this cloud supports',
    schema: { response: { 200: sdkVersionResponse } },
    errors: [],
    handler: async () => ({
      success: true as const,
      data: SDK_VERSIONS,
      timestamp: new Date(now()).toISOString(),
    }),
  }),
  endpoint({
    ...common,
    method: 'GET',
    url: '/api/public/permissions/:packageName',
    summary: 'Get the permissions a published app declares',
    schema: {
      params: Type.Object({ packageName: Type.String({ minLength: 1, pattern: SINGLE_LINE_PATTERN }) }),
      response: { 200: appPermissions },
    },
    errors: ['APP_NOT_FOUND'],
    invalid: 'APP_NOT_FOUND',
    handler: async ({ params }) => {
      const app = await catalogue.find(params.packageName, undefined)
      if (app === undefined) throw fault('APP_NOT_FOUND')
      return { permissions: [...app.permissions] }
    },
  }),
]
