import { appPing, developerApp, MAX_APPS_PER_OWNER } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { appParams, dataResponse, developerPath } from '../../http/schemas.ts'
import { writeAs } from '../../identity/index.ts'
import { findOwnOrganization, requireAppAdmin, requireOwner } from './access.ts'
import { type DeveloperEndpointDeps, organizationId } from './app-endpoints.ts'
import { reload, viewOf } from './app-view.ts'

const common = { tags: ['developer'], style: 'coded', auth: coreOrPersonalToken('apps:write') } as const

export const appActionEndpoints = (deps: DeveloperEndpointDeps): Endpoint[] => [
  publication(deps, 'publish', 'Publish an app, or submit it for review'),
  publication(deps, 'unpublish', 'Take an app out of the store'),
  endpoint({
    ...common,
    method: 'POST',
    url: developerPath('/apps/:packageName/move', '/apps/:packageName/move-org'),
    summary: 'Move an app to another owner',
    schema: {
      params: appParams,
      body: Type.Object(
        {
          orgId: Type.Union([Type.Null(), organizationId], {
            description: 'Id or slug of one of your organizations; null: you own the app yourself',
          }),
        },
        { additionalProperties: false },
      ),
      response: { 200: dataResponse(developerApp) },
    },
    errors: ['APP_NOT_FOUND', 'APP_ADMIN_REQUIRED', 'ORGANIZATION_NOT_FOUND', 'TOO_MANY_APPS'],
    invalid: ({ part }) => (part === 'params' ? 'APP_NOT_FOUND' : 'BAD_REQUEST'),
    handler: async ({ caller: { user }, params, body: { orgId } }) => {
      const { db, apps, organizations, now } = deps
      const app = await requireAppAdmin(deps, user, params.packageName)
      const organization = orgId === null ? undefined : await findOwnOrganization(organizations, user, orgId)
      if (orgId !== null && organization === undefined) throw fault('ORGANIZATION_NOT_FOUND')
      const owner = organization
        ? { organizationId: organization.id, developerId: null, developerUserId: null }
        : { organizationId: null, developerId: user.email, developerUserId: user.id }
      const moved = await writeAs(db, user.id, (trx) =>
        apps.within(trx).move(app.id, owner, MAX_APPS_PER_OWNER, now()),
      )
      if (moved === 'too_many') throw fault('TOO_MANY_APPS')
      if (moved === undefined) throw fault('APP_NOT_FOUND')
      return { success: true as const, data: await viewOf(deps, moved) }
    },
  }),
  // Tests the connection between the cloud and an app. Needs `apps:write`, because it starts the app for the
  // caller.
  endpoint({
    ...common,
    method: 'POST',
    url: developerPath('/apps/:packageName/ping'),
    summary: 'Test the connection between the cloud and an app, hop by hop',
    schema: { params: appParams, response: { 200: dataResponse(appPing) } },
    errors: ['APP_NOT_FOUND'],
    invalid: 'APP_NOT_FOUND',
    handler: async ({ caller: { user }, params }) => {
      const app = await requireOwner(deps, user, params.packageName)
      return { success: true as const, data: await deps.pings.ping(user, app) }
    },
  }),
]

/** `publish` submits the app for review first with `APP_REVIEW=on`. */
const publication = (deps: DeveloperEndpointDeps, verb: 'publish' | 'unpublish', summary: string) =>
  endpoint({
    method: 'POST',
    url: developerPath(`/apps/:packageName/${verb}`),
    summary,
    tags: ['developer'],
    style: 'coded',
    auth: coreOrPersonalToken('apps:write'),
    schema: { params: appParams, response: { 200: dataResponse(developerApp) } },
    errors: ['APP_NOT_FOUND'],
    invalid: 'APP_NOT_FOUND',
    handler: async ({ caller: { user }, params }) => {
      const app = await requireOwner(deps, user, params.packageName)
      await deps.publishing[verb](app, user.id)
      return { success: true as const, data: await viewOf(deps, await reload(deps, app)) }
    },
  })
