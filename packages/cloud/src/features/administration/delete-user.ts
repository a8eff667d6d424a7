import { administrator } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { successResponse } from '../../http/schemas.ts'
import type { AdministrationEndpointDeps } from './deps.ts'
import { userParams } from './schemas.ts'
import { findTarget } from './target-user.ts'

/** Deletes an account with all its data, as its user could (decision A5). */
export const deleteUser = ({ users, deletions, audit }: AdministrationEndpointDeps) =>
  endpoint({
    method: 'DELETE',
    url: '/api/admin/users/:userId',
    summary: 'Delete a user with all data',
    tags: ['administration'],
    style: 'coded',
    auth: administrator,
    schema: { params: userParams, response: { 200: successResponse } },
    errors: ['USER_NOT_FOUND', 'OWN_ACCOUNT'],
    invalid: 'USER_NOT_FOUND',
    handler: async ({ caller: { user: actor }, params, request }) => {
      const user = await findTarget(users, actor, params.userId)
      await audit.run({ actor, request, action: 'user.delete', target: user.id }, () =>
        deletions.delete(user),
      )
      return { success: true as const }
    },
  })
