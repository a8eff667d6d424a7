import { Type } from 'typebox'
import { bearerToken, none } from '../../../http/auth/index.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { fault } from '../../../http/fault.ts'
import { DEFAULT_TOKEN_LIFETIME_MS } from '../../../identity/index.ts'
import type { TokenEndpointDeps } from './deps.ts'

/**
 * Issues new tokens for a refresh token, which is replaced; or a new core token for a valid one (decision I4), with the
 * same lifetime if that is shorter than the default.
 */
export const refreshToken = ({ tokens, loginTokens, authenticator, credentialUses }: TokenEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: ['/api/auth/refresh', '/auth/refresh'],
    summary: 'Get a new core token for a refresh token, or for a core token in the header',
    tags: ['auth'],
    style: 'bare',
    auth: none,
    schema: {
      body: Type.Object(
        { refreshToken: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })) },
        { title: 'Refresh' },
      ),
      response: {
        200: Type.Object({
          coreToken: Type.String(),
          refreshToken: Type.Optional(
            Type.String({ description: 'Replaces the refresh token of the request; absent without one' }),
          ),
          expiresIn: Type.Integer({ description: 'Lifetime of the core token in seconds' }),
        }),
      },
    },
    errors: ['UNAUTHORIZED'],
    handler: async ({ body, request, log }) => {
      if (body.refreshToken !== undefined) {
        const outcome = await loginTokens.refresh(body.refreshToken)
        if (!outcome.ok) {
          if (outcome.reason === 'reused')
            log.warn('sign-in: a used refresh token was presented; its login ended')
          throw fault('UNAUTHORIZED')
        }
        const { coreToken, refreshToken, expiresIn, loginId } = outcome
        credentialUses.record({ table: 'logins', id: loginId }, request.ip)
        return { coreToken, refreshToken, expiresIn }
      }
      const token = bearerToken(request.headers.authorization) ?? ''
      const caller = await authenticator.authenticateToken(token, { scopes: ['core'] })
      if (!caller.ok) throw fault('UNAUTHORIZED')
      const reading = tokens.read(token)
      const lifeBefore = (reading.ok && reading.claims.lifetimeMs) || DEFAULT_TOKEN_LIFETIME_MS
      const expiresIn = Math.floor(Math.min(lifeBefore, DEFAULT_TOKEN_LIFETIME_MS) / 1000)
      const { user, loginId } = caller
      if (loginId !== undefined) credentialUses.record({ table: 'logins', id: loginId }, request.ip)
      return { coreToken: tokens.issue(user, { lifetimeMs: expiresIn * 1000, loginId }), expiresIn }
    },
  })
