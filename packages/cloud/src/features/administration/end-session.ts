import { closeFrames } from '@glasses-cloud/contract'
import { administrator } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { successResponse } from '../../http/schemas.ts'
import type { AdministrationEndpointDeps } from './deps.ts'
import { userParams } from './schemas.ts'

/** Ends the live session of a user; glasses may connect again. */
export const endSession = ({ sessions, audit }: AdministrationEndpointDeps) =>
  endpoint({
    method: 'DELETE',
    url: '/api/admin/sessions/:userId',
    summary: 'End the live session of a user',
    tags: ['administration'],
    style: 'coded',
    auth: administrator,
    schema: { params: userParams, response: { 200: successResponse } },
    errors: ['SESSION_NOT_FOUND'],
    invalid: 'SESSION_NOT_FOUND',
    handler: async ({ caller: { user: actor }, params: { userId }, request }) => {
      const session = await sessions.find(userId)
      if (session === undefined) throw fault('SESSION_NOT_FOUND')
      await audit.run({ actor, request, action: 'session.end', target: userId }, () =>
        session.end(closeFrames.SESSION_ENDED),
      )
      return { success: true as const }
    },
  })
