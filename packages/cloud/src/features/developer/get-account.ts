import { developerAccount } from '@glasses-cloud/contract'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { dataResponse } from '../../http/schemas.ts'
import type { DeveloperEndpointDeps } from './deps.ts'

/** Returns the account of the caller with its organizations. */
export const getAccount = ({ organizations }: DeveloperEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/console/account',
    summary: 'Get your account and your organizations',
    tags: ['developer'],
    style: 'coded',
    auth: coreOrPersonalToken('account'),
    schema: { response: { 200: dataResponse(developerAccount) } },
    errors: [],
    handler: async ({ caller: { user } }) => {
      const { id, email, name, isAdministrator } = user
      const memberships = await organizations.organizationsOf(id)
      return {
        success: true as const,
        data: {
          id,
          email,
          name,
          isAdministrator,
          organizations: memberships.map(({ organization, role }) => {
            const { createdAt, ...fields } = organization
            return { ...fields, role, createdAt: new Date(createdAt).toISOString() }
          }),
        },
      }
    },
  })
