import { adminUser } from '@glasses-cloud/contract'
import { administrator } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { dataResponse } from '../../http/schemas.ts'
import type { AdministrationEndpointDeps } from './deps.ts'
import { userParams } from './schemas.ts'
import { findTarget, toAdminUser } from './target-user.ts'

/** Ends the suspension of a user. */
export const reinstateUser = ({ users, audit, now }: AdministrationEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/admin/users/:userId/reinstate',
    summary: 'End the suspension of a user',
    tags: ['administration'],
    style: 'coded',
    auth: administrator,
    schema: { params: userParams, response: { 200: dataResponse(adminUser) } },
    errors: ['USER_NOT_FOUND', 'OWN_ACCOUNT'],
    invalid: 'USER_NOT_FOUND',
    handler: async ({ caller: { user: actor }, params, request }) => {
      const user = await findTarget(users, actor, params.userId)
      await audit.run({ actor, request, action: 'user.reinstate', target: user.id }, () =>
        users.setSuspended(user.id, null, now()),
      )
      return { success: true as const, data: toAdminUser({ ...user, suspendedAt: undefined }) }
    },
  })
