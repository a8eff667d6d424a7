import { newOrganization, organization } from '@glasses-cloud/contract'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { developerPath } from '../../http/developer-path.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { OrganizationEndpointDeps } from './deps.ts'
import { dataResponse } from '../../http/schemas.ts'
import { toView } from './schemas.ts'
import { isUsableSlug, slugOf } from './slug.ts'

/** Organizations that a user may belong to when creating another one. */
const MAX_ORGANIZATIONS = 50

/** Creates an organization, whose administrator the caller becomes. */
export const createOrganization = ({ organizations, now }: OrganizationEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: developerPath('/orgs'),
    summary: 'Create an organization',
    tags: ['organizations'],
    style: 'coded',
    auth: coreOrPersonalToken('account'),
    schema: { body: newOrganization, response: { 200: dataResponse(organization) } },
    errors: ['SLUG_TAKEN', 'TOO_MANY_ORGANIZATIONS'],
    handler: async ({ caller: { user }, body: { name, slug = slugOf(name), profile = {} } }) => {
      if (!isUsableSlug(slug))
        throw fault('BAD_REQUEST', {
          message: 'slug is required: it must have a letter or digit, and must not have the form of an id',
        })
      if ((await organizations.organizationsOf(user.id)).length >= MAX_ORGANIZATIONS)
        throw fault('TOO_MANY_ORGANIZATIONS')
      const created = await organizations.create({ slug, name, profile }, user.id, now())
      if (created === undefined) throw fault('SLUG_TAKEN')
      const members = await organizations.membersOf(created.id)
      return { success: true as const, data: toView(created, 'admin', members, []) }
    },
  })
