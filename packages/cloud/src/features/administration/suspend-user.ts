import { adminUser, closeFrames } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { administrator } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { dataResponse } from '../../http/schemas.ts'
import type { AdministrationEndpointDeps } from './deps.ts'
import { noteText, userParams } from './schemas.ts'
import { findTarget, toAdminUser } from './target-user.ts'

/** Suspends a user: all tokens are rejected at once, and the live session ends. */
export const suspendUser = ({ users, sessions, audit, changes, now }: AdministrationEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/admin/users/:userId/suspend',
    summary: 'Suspend a user',
    tags: ['administration'],
    style: 'coded',
    auth: administrator,
    schema: {
      params: userParams,
      body: Type.Object({ reason: Type.Optional(noteText) }, { additionalProperties: false }),
      response: { 200: dataResponse(adminUser) },
    },
    errors: ['USER_NOT_FOUND', 'OWN_ACCOUNT'],
    invalid: ({ part }) => (part === 'params' ? 'USER_NOT_FOUND' : 'BAD_REQUEST'),
    handler: async ({ caller: { user: actor }, params, body, request, log }) => {
      const user = await findTarget(users, actor, params.userId)
      const at = user.suspendedAt ?? now()
      await audit.run(
        { actor, request, action: 'user.suspend', target: user.id, details: body },
        async () => {
          await users.setSuspended(user.id, at, now())
          await changes.catchUp()
          // The change feed ends sessions too; asking the owner does not wait for it.
          const session = await sessions.find(user.id)
          await session
            ?.end(closeFrames.ACCOUNT_SUSPENDED)
            .catch((err: unknown) =>
              log.warn({ err }, 'admin: the session of a suspended user did not end at once'),
            )
        },
      )
      return { success: true as const, data: toAdminUser({ ...user, suspendedAt: at }) }
    },
  })
