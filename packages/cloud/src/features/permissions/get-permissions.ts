import { appPermissions } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { PermissionsEndpointDeps } from './deps.ts'
import { appParams } from '../../http/schemas.ts'
import { organizationHeader } from './schemas.ts'

/** Returns the permissions an app declares. */
export const getPermissions = ({ permissions }: PermissionsEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/permissions/:packageName',
    summary: 'Get the permissions an app declares',
    tags: ['permissions'],
    style: 'bare',
    auth: coreToken,
    schema: { params: appParams, headers: organizationHeader, response: { 200: appPermissions } },
    errors: ['APP_NOT_FOUND', 'APP_FORBIDDEN'],
    invalid: 'APP_NOT_FOUND',
    handler: async ({ caller: { user }, params }) => {
      const access = await permissions.accessOf(user, params.packageName)
      if (access === undefined) throw fault('APP_NOT_FOUND')
      if (!access.view)
        throw fault('APP_FORBIDDEN', { extra: { message: 'You may not see the permissions of this app' } })
      return { permissions: [...access.app.permissions] }
    },
  })
