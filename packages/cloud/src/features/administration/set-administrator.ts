import { adminUser } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { administrator } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { dataResponse } from '../../http/schemas.ts'
import type { AdministrationEndpointDeps } from './deps.ts'
import { userParams } from './schemas.ts'
import { findTarget, toAdminUser } from './target-user.ts'

/** Makes a user an administrator, or an ordinary user again. */
export const setAdministrator = ({ users, audit, now }: AdministrationEndpointDeps) =>
  endpoint({
    method: 'PUT',
    url: '/api/admin/users/:userId/administrator',
    summary: 'Make a user an administrator, or an ordinary user again',
    tags: ['administration'],
    style: 'coded',
    auth: administrator,
    schema: {
      params: userParams,
      body: Type.Object({ isAdministrator: Type.Boolean() }, { additionalProperties: false }),
      response: { 200: dataResponse(adminUser) },
    },
    errors: ['USER_NOT_FOUND', 'OWN_ACCOUNT'],
    invalid: ({ part }) => (part === 'params' ? 'USER_NOT_FOUND' : 'BAD_REQUEST'),
    handler: async ({ caller: { user: actor }, params, body, request }) => {
      const user = await findTarget(users, actor, params.userId)
      const action = body.isAdministrator ? 'user.promote' : 'user.demote'
      await audit.run({ actor, request, action, target: user.id }, () =>
        users.setAdministrator(user.id, body.isAdministrator, now()),
      )
      return { success: true as const, data: toAdminUser({ ...user, ...body }) }
    },
  })
