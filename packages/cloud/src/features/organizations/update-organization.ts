import { organizationChanges, organizationSummary } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { isUniqueViolation } from '../../db/index.ts'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { developerPath } from '../../http/developer-path.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { requireAdmin } from './access.ts'
import type { OrganizationEndpointDeps } from './deps.ts'
import { dataResponse } from '../../http/schemas.ts'
import { organizationParams, toSummary } from './schemas.ts'
import { isUsableSlug } from './slug.ts'

/** Changes the given fields of an organization; for its administrators. */
export const updateOrganization = ({ organizations }: OrganizationEndpointDeps) =>
  endpoint({
    method: 'PATCH',
    url: developerPath('/orgs/:org'),
    summary: 'Change an organization',
    tags: ['organizations'],
    style: 'coded',
    auth: coreOrPersonalToken('account'),
    schema: {
      params: Type.Object(organizationParams),
      body: organizationChanges,
      response: { 200: dataResponse(organizationSummary) },
    },
    errors: ['ORGANIZATION_NOT_FOUND', 'ORGANIZATION_FORBIDDEN', 'SLUG_TAKEN'],
    invalid: ({ part }) => (part === 'params' ? 'ORGANIZATION_NOT_FOUND' : 'BAD_REQUEST'),
    handler: async ({ caller: { user }, params, body }) => {
      const { organization, role } = await requireAdmin(organizations, user, params.org)
      if (body.slug !== undefined && !isUsableSlug(body.slug))
        throw fault('BAD_REQUEST', { message: 'slug must not have the form of an id' })
      const updated = await organizations.update(organization.id, body).catch((cause: unknown) => {
        throw isUniqueViolation(cause) ? fault('SLUG_TAKEN', { cause }) : cause
      })
      if (updated === undefined) throw fault('ORGANIZATION_NOT_FOUND')
      return { success: true as const, data: toSummary(updated, role) }
    },
  })
