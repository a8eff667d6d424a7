import { Type } from 'typebox'
import { ownPages } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { isRevoked } from '../../identity/index.ts'
import type { AuthEndpointDeps } from './deps.ts'
import { session, sessionUser, tags, toSessionUser } from './schemas.ts'

/** Returns the session of the cookie, or null without a valid one, and extends it once a day. */
export const getSession = ({ accounts, users }: AuthEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/auth/get-session',
    summary: 'Get the session of this browser',
    tags,
    style: 'bare',
    auth: ownPages,
    schema: {
      response: {
        200: Type.Union([
          Type.Null(),
          Type.Object({ session, user: sessionUser }, { title: 'CurrentSession' }),
        ]),
      },
    },
    errors: [],
    handler: async ({ request, reply }) => {
      const found = await accounts.call(request, reply, (api, headers) =>
        api.getSession({ headers, returnHeaders: true }),
      )
      if (found === null) return null
      const user = await users.findById(found.user.id)
      const { id, expiresAt, createdAt, updatedAt, ipAddress, userAgent } = found.session
      if (user === undefined || user.suspendedAt !== undefined) return null
      if (isRevoked({ createdAt: createdAt.getTime() }, user)) return null
      return {
        session: {
          id,
          expiresAt: expiresAt.toISOString(),
          createdAt: createdAt.toISOString(),
          updatedAt: updatedAt.toISOString(),
          ipAddress: ipAddress || null,
          userAgent: userAgent || null,
        },
        user: toSessionUser(found.user),
      }
    },
  })
