import { appPermissions, SINGLE_LINE_PATTERN } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { SdkEndpointDeps } from './deps.ts'

/** Returns the permissions a published app declares; the app SDK compares them with the features in use. */
export const getPublicPermissions = ({ catalogue }: SdkEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/public/permissions/:packageName',
    summary: 'Get the permissions a published app declares',
    tags: ['sdk'],
    style: 'bare',
    auth: none,
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
  })
