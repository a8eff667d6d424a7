import { Type } from 'typebox'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { developerPath } from '../../http/developer-path.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { requireAdmin } from './access.ts'
import type { OrganizationEndpointDeps } from './deps.ts'
import { organizationParams } from './schemas.ts'
import { successResponse } from '../../http/schemas.ts'

/** Deletes an organization that owns no apps; for its administrators. */
export const deleteOrganization = ({ organizations }: OrganizationEndpointDeps) =>
  endpoint({
    method: 'DELETE',
    url: developerPath('/orgs/:org'),
    summary: 'Delete an organization',
    tags: ['organizations'],
    style: 'coded',
    auth: coreOrPersonalToken('account'),
    schema: { params: Type.Object(organizationParams), response: { 200: successResponse } },
    errors: ['ORGANIZATION_NOT_FOUND', 'ORGANIZATION_FORBIDDEN', 'ORGANIZATION_OWNS_APPS'],
    invalid: 'ORGANIZATION_NOT_FOUND',
    handler: async ({ caller: { user }, params }) => {
      const { organization } = await requireAdmin(organizations, user, params.org)
      const outcome = await organizations.remove(organization.id)
      if (outcome === 'not_found') throw fault('ORGANIZATION_NOT_FOUND')
      if (outcome === 'owns_apps') throw fault('ORGANIZATION_OWNS_APPS')
      return { success: true as const }
    },
  })
