import { appPermissions, ownedApp } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import type { Feature } from '../../feature.ts'
import { coreToken } from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { appParams } from '../../http/schemas.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import { type AppStore, type Catalogue, toOwnedApp } from '../catalogue/index.ts'
import type { Publishing } from '../developer/index.ts'
import { AppPermissions, parsePermissions } from './app-permissions.ts'

export interface PermissionsDeps {
  readonly apps: AppStore
  readonly catalogue: Catalogue
  readonly sessions: SessionDirectory
  readonly publishing: Publishing
  /** Epoch ms. */
  readonly now: () => number
}

/** The permissions that apps declare, under `/api/permissions`. */
export function createPermissions(deps: PermissionsDeps): Feature {
  const endpointDeps = { permissions: new AppPermissions(deps), catalogue: deps.catalogue }
  return {
    name: 'permissions',
    endpoints: permissionEndpoints(endpointDeps),
  }
}

export interface PermissionsEndpointDeps {
  readonly catalogue: Catalogue
  readonly permissions: AppPermissions
}

/** Organization header that clients send; it has no effect. */
const organizationHeader = Type.Object({
  'x-org-id': Type.Optional(
    Type.String({ description: 'An organization of the caller. Ignored: members have access without it.' }),
  ),
})

const common = { tags: ['permissions'], style: 'bare', auth: coreToken } as const

const permissionEndpoints = ({ catalogue, permissions }: PermissionsEndpointDeps): Endpoint[] => [
  endpoint({
    ...common,
    method: 'GET',
    url: '/api/permissions/:packageName',
    summary: 'Get the permissions an app declares',
    schema: { params: appParams, headers: organizationHeader, response: { 200: appPermissions } },
    errors: ['APP_NOT_FOUND', 'APP_FORBIDDEN'],
    invalid: 'APP_NOT_FOUND',
    handler: async ({ caller: { user }, params }) => {
      const access = await permissions.accessOf(user, params.packageName)
      if (access === undefined) throw fault('APP_NOT_FOUND')
      if (!access.view)
        throw fault('APP_FORBIDDEN', { extra: { message: 'You may not see the permissions of this app' } })
      return { permissions: [...access.permissions] }
    },
  }),
  endpoint({
    ...common,
    method: 'PATCH',
    url: '/api/permissions/:packageName',
    summary: 'Replace the permissions an app declares',
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
    errors: [
      'APP_NOT_FOUND',
      'APP_FORBIDDEN',
      'PERMISSIONS_NOT_AN_ARRAY',
      'INVALID_PERMISSION_TYPE',
      'APP_IN_REVIEW',
    ],
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
  }),
]
