import { developerApp, MAX_APPS_PER_OWNER } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { developerPath } from '../../http/developer-path.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { appParams, dataResponse } from '../../http/schemas.ts'
import { findOwnOrganization, requireAppAdmin } from './access.ts'
import { viewOf } from './app-view.ts'
import type { DeveloperEndpointDeps } from './deps.ts'
import { organizationId } from './schemas.ts'

/** Moves an app to an organization of the caller, or to the caller. */
export const moveApp = (deps: DeveloperEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: developerPath('/apps/:packageName/move', '/apps/:packageName/move-org'),
    summary: 'Move an app to another owner',
    tags: ['developer'],
    style: 'coded',
    auth: coreOrPersonalToken('apps:write'),
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
      const { apps, organizations, now } = deps
      const app = await requireAppAdmin(deps, user, params.packageName)
      const organization = orgId === null ? undefined : await findOwnOrganization(organizations, user, orgId)
      if (orgId !== null && organization === undefined) throw fault('ORGANIZATION_NOT_FOUND')
      const others = await apps.listOwnedBy(
        organization ? { organizationIds: [organization.id] } : { email: user.email },
        { limit: MAX_APPS_PER_OWNER },
      )
      if (others.length >= MAX_APPS_PER_OWNER) throw fault('TOO_MANY_APPS')
      const owner = organization
        ? { organizationId: organization.id, developerId: null }
        : { organizationId: null, developerId: user.email }
      const moved = await apps.update(app.id, owner, now())
      if (moved === undefined) throw fault('APP_NOT_FOUND')
      return { success: true as const, data: await viewOf(deps, moved) }
    },
  })
