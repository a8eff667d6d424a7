import { closeFrames, SINGLE_LINE_PATTERN } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreToken } from '../../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../../http/endpoint.ts'
import { fault } from '../../../http/fault.ts'
import { type LogOutDeps, logOutEverywhere } from '../../../identity/index.ts'
import type { SessionDirectory } from '../../../session-host/index.ts'
import { coded, success } from '../schemas.ts'

export interface LoginEndpointDeps extends LogOutDeps {
  readonly sessions: SessionDirectory
}

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
const listLogins = ({ logins, now }: LoginEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/auth/logins',
    summary: 'List the browsers and devices where you are signed in',
    ...coded,
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
const removeLogin = ({ logins }: LoginEndpointDeps) =>
  endpoint({
    method: 'DELETE',
    url: '/api/auth/logins/:id',
    summary: 'Sign out on one browser or device',
    ...coded,
    auth: coreToken,
    schema: {
      params: Type.Object({ id: Type.String({ maxLength: 100, pattern: SINGLE_LINE_PATTERN }) }),
      response: { 200: success },
    },
    errors: ['LOGIN_NOT_FOUND'],
    handler: async ({ caller, params }) => {
      if (!(await logins.remove(caller.user.id, params.id))) throw fault('LOGIN_NOT_FOUND')
      return { success: true as const }
    },
  })

const shared = {
  method: 'POST',
  tags: ['auth'],
  style: 'bare',
  auth: coreToken,
  schema: { response: { 200: Type.Object({ success: Type.Literal(true), message: Type.String() }) } },
  errors: [],
} as const

/**
 * Ends the login of the token, with all tokens that belong to it. A token without a login, such as one of another
 * issuer, cannot be revoked alone: it logs the user out everywhere.
 */
const logOut = (deps: LoginEndpointDeps) =>
  endpoint({
    ...shared,
    url: ['/api/auth/logout', '/auth/logout'],
    summary: 'Log out: revoke the tokens of this login',
    handler: async ({ caller: { user, loginId } }) => {
      if (loginId === undefined) return endEverything(deps, user)
      await deps.logins.remove(user.id, loginId)
      return { success: true as const, message: 'Logged out' }
    },
  })

/** Revokes every token issued so far and ends the live session (decisions I2 and I4). */
const logOutOfEverything = (deps: LoginEndpointDeps) =>
  endpoint({
    ...shared,
    style: 'coded',
    url: '/api/auth/logout-everywhere',
    summary: 'Log out everywhere: revoke all tokens, end the live session',
    handler: async ({ caller: { user } }) => endEverything(deps, user),
  })

async function endEverything(deps: LoginEndpointDeps, user: Parameters<typeof logOutEverywhere>[1]) {
  await logOutEverywhere(deps, user)
  const session = await deps.sessions.find(user.id)
  await session?.end(closeFrames.LOGGED_OUT)
  return { success: true as const, message: 'Logged out everywhere' }
}

/** The endpoints with which users see and end their logins. */
export const loginEndpoints = (deps: LoginEndpointDeps): Endpoint[] => [
  logOut(deps),
  logOutOfEverything(deps),
  listLogins(deps),
  removeLogin(deps),
]
