import { Type } from 'typebox'
import { ownPages } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { isRevoked, type UserStore } from '../../identity/index.ts'
import { session, sessionUser, tags, toSessionUser } from './schemas.ts'
import type { WebSessions } from './web-sessions.ts'

export interface SessionEndpointDeps {
  readonly sessions: WebSessions
  readonly users: UserStore
}

/** Returns the session of the cookie, or null without a valid one, and extends it once a day. */
const getSession = ({ sessions, users }: SessionEndpointDeps) =>
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
      if (sessions.tokenOf(request) === undefined) return null
      const login = await sessions.find(request)
      if (login === undefined) {
        await sessions.end(request, reply)
        return null
      }
      const user = await users.findById(login.userId)
      if (user === undefined || user.suspendedAt !== undefined || isRevoked(login, user)) return null
      const { id, expiresAt, createdAt, updatedAt, ipAddress, userAgent } = await sessions.extend(
        login,
        request,
        reply,
      )
      return {
        session: {
          id,
          expiresAt: new Date(expiresAt).toISOString(),
          createdAt: new Date(createdAt).toISOString(),
          updatedAt: new Date(updatedAt).toISOString(),
          ipAddress: ipAddress ?? null,
          userAgent: userAgent ?? null,
        },
        user: toSessionUser(user),
      }
    },
  })

/** Ends the session of the cookie, with all tokens that belong to it. */
const signOut = ({ sessions }: SessionEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/sign-out',
    summary: 'Sign out in this browser',
    tags,
    style: 'bare',
    auth: ownPages,
    schema: { response: { 200: Type.Object({ success: Type.Literal(true) }) } },
    errors: [],
    handler: async ({ request, reply }) => {
      await sessions.end(request, reply)
      return { success: true as const }
    },
  })

/** The session of a browser. */
export const sessionEndpoints = (deps: SessionEndpointDeps) => [getSession(deps), signOut(deps)]
