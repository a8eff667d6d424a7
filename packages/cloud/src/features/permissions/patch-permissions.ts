import { ownedApp } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { toOwnedApp } from '../catalogue/index.ts'
import type { PermissionsEndpointDeps } from './deps.ts'
import { parsePermissions } from './parse-permissions.ts'
import { appParams } from '../../http/schemas.ts'
import { organizationHeader } from './schemas.ts'

/** Replaces all permissions of an app; for its owners only. */
export const patchPermissions = ({ permissions, catalogue }: PermissionsEndpointDeps) =>
  endpoint({
    method: 'PATCH',
    url: '/api/permissions/:packageName',
    summary: 'Replace the permissions an app declares',
    tags: ['permissions'],
    style: 'bare',
    auth: coreToken,
    schema: {
      params: appParams,
      headers: organizationHeader,
      body: Type.Object({
        permissions: Type.Unknown({
          description: 'List of Permission, at most 64; those of one type are merged',
        }),
      }),
      response: { 200: ownedApp },
    },
    errors: ['APP_NOT_FOUND', 'APP_FORBIDDEN', 'PERMISSIONS_NOT_AN_ARRAY', 'INVALID_PERMISSION_TYPE'],
    invalid: ({ part }) => (part === 'params' ? 'APP_NOT_FOUND' : 'PERMISSIONS_NOT_AN_ARRAY'),
    handler: async ({ caller: { user }, params, body, log }) => {
      const access = await permissions.accessOf(user, params.packageName)
      if (access === undefined) throw fault('APP_NOT_FOUND')
      if (!access.modify)
        throw fault('APP_FORBIDDEN', { extra: { message: 'You may not change the permissions of this app' } })
      const app = await permissions.replace(access.app, parsePermissions(body.permissions))
      if (app === undefined) throw fault('APP_NOT_FOUND')
      // The change is stored even if a session cannot be notified.
      await permissions.notifySessions(app).catch((error: unknown) => {
        log.error(
          { err: error, packageName: app.packageName },
          'permissions: sessions could not be notified of a change',
        )
      })
      return toOwnedApp(app, catalogue.statusOf(app))
    },
  })
