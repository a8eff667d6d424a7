import { SINGLE_LINE_PATTERN } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreToken } from '../../../http/auth/index.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { fault } from '../../../http/fault.ts'
import type { TokenEndpointDeps } from './deps.ts'

const time = Type.String({ format: 'date-time' })

const loginView = Type.Object(
  {
    id: Type.String(),
    isCurrent: Type.Boolean({ description: 'Whether the credential of the request belongs to it' }),
    ipAddress: Type.Union([Type.Null(), Type.String()], { description: 'Address of the sign-in' }),
    userAgent: Type.Union([Type.Null(), Type.String()]),
    createdAt: time,
    lastUsedAt: Type.String({ format: 'date-time', description: 'To the minute' }),
    lastUsedIpAddress: Type.Union([Type.Null(), Type.String()], {
      description: 'Address of the client then',
    }),
    expiresAt: time,
  },
  { title: 'Login' },
)

/** Lists where the caller is signed in, the most recently used first. */
export const listLogins = ({ logins, now }: TokenEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/auth/logins',
    summary: 'List the browsers and devices where you are signed in',
    tags: ['auth'],
    style: 'bare',
    auth: coreToken,
    schema: { response: { 200: Type.Object({ logins: Type.Array(loginView) }) } },
    errors: [],
    handler: async ({ caller: { user, loginId } }) => {
      const found = await logins.list(user.id, now())
      return {
        logins: found.map(({ id, ipAddress, userAgent, createdAt, lastUse, expiresAt }) => ({
          id,
          isCurrent: id === loginId,
          ipAddress: ipAddress ?? null,
          userAgent: userAgent ?? null,
          createdAt: new Date(createdAt).toISOString(),
          lastUsedAt: new Date(lastUse.at).toISOString(),
          lastUsedIpAddress: lastUse.address ?? null,
          expiresAt: new Date(expiresAt).toISOString(),
        })),
      }
    },
  })

/** Signs the caller out on one browser or device. */
export const removeLogin = ({ logins }: TokenEndpointDeps) =>
  endpoint({
    method: 'DELETE',
    url: '/api/auth/logins/:id',
    summary: 'Sign out on one browser or device',
    tags: ['auth'],
    style: 'bare',
    auth: coreToken,
    schema: {
      params: Type.Object({ id: Type.String({ maxLength: 100, pattern: SINGLE_LINE_PATTERN }) }),
      response: { 200: Type.Object({ success: Type.Literal(true) }) },
    },
    errors: ['LOGIN_NOT_FOUND'],
    handler: async ({ caller, params }) => {
      if (!(await logins.remove(caller.user.id, params.id))) throw fault('LOGIN_NOT_FOUND')
      return { success: true as const }
    },
  })
