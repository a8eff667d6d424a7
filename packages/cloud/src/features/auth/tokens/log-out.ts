import { closeFrames } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreToken } from '../../../http/auth/index.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { logOutEverywhere } from '../../../identity/index.ts'
import type { TokenEndpointDeps } from './deps.ts'

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
export const logOut = (deps: TokenEndpointDeps) =>
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
export const logOutOfEverything = (deps: TokenEndpointDeps) =>
  endpoint({
    ...shared,
    url: '/api/auth/logout-everywhere',
    summary: 'Log out everywhere: revoke all tokens, end the live session',
    handler: async ({ caller: { user } }) => endEverything(deps, user),
  })

async function endEverything(deps: TokenEndpointDeps, user: Parameters<typeof logOutEverywhere>[1]) {
  await logOutEverywhere(deps, user)
  const session = await deps.sessions.find(user.id)
  await session?.end(closeFrames.LOGGED_OUT)
  return { success: true as const, message: 'Logged out everywhere' }
}
