import { closeFrames } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { SignInEndpointDeps } from './deps.ts'

/**
 * Logs the user out everywhere: revokes every token issued so far and ends the live session (decisions I2 and I4).
 */
export const logOut = ({ users, sessions, now }: SignInEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: ['/api/auth/logout', '/auth/logout'],
    summary: 'Log out everywhere: revoke all tokens, end the live session',
    tags: ['auth'],
    style: 'bare',
    auth: coreToken,
    schema: { response: { 200: Type.Object({ success: Type.Literal(true), message: Type.String() }) } },
    errors: [],
    handler: async ({ caller: { user } }) => {
      // `Tokens.issue` dates tokens ahead in the second after an earlier logout; these are revoked as well.
      const afterEarlier = Math.ceil(user.tokensValidFrom / 1000) * 1000 + 1
      await users.setTokensValidFrom(user.id, Math.max(now(), afterEarlier))
      const session = await sessions.find(user.id)
      await session?.end(closeFrames.LOGGED_OUT)
      return { success: true as const, message: 'Logged out everywhere' }
    },
  })
