import type { FastifyRequest } from 'fastify'
import { basePathOf, isFromOwnPage, type OriginDeps, readCookie } from '../request-origin.ts'
import type { SchemeDeps, UserCaller } from './scheme.ts'
import { type AuthOutcome, absent, accepted, rejected, type SecurityRequirement } from './scheme.ts'

/** Prefix of all cookies. */
export const COOKIE_PREFIX = 'glasses-cloud'

/** Name of the session cookie, without the prefix of {@link cookieName}. */
export const SESSION_COOKIE = `${COOKIE_PREFIX}.session_token`

/** The session cookie in the OpenAPI document. */
export const sessionCookieSecurity: SecurityRequirement = {
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description:
      'Session of a browser, from POST /api/auth/sign-in/email. On https its name has the prefix `__Host-`. Requests must come from a page of this cloud (Origin or Sec-Fetch-Site), or have a header X-CSRF-Protection',
  },
}

/**
 * Returns the full name of a cookie. On https it has the prefix `__Host-`: browsers accept such a cookie only from this
 * host over https, so that no other host of the domain, and nobody on the network, can set one. Below a path the prefix is
 * `__Secure-`: browsers send the cookie to the cloud only, and not to what else the host serves.
 */
export function cookieName(name: string, publicUrl: URL): string {
  if (publicUrl.protocol !== 'https:') return name
  return basePathOf(publicUrl) === '' ? `__Host-${name}` : `__Secure-${name}`
}

/** Authenticates the session cookie of a request that a page of this cloud sent. */
export async function authenticateCookie(
  request: FastifyRequest,
  deps: OriginDeps & Pick<SchemeDeps, 'authenticator'>,
): Promise<AuthOutcome<UserCaller>> {
  const token = readCookie(request.headers.cookie, cookieName(SESSION_COOKIE, deps.publicUrl()))
  if (token === undefined || token === '') return absent('UNAUTHORIZED')
  if (!isFromOwnPage(request, deps)) {
    request.log.debug('session cookie of a request from another site rejected')
    return rejected('UNAUTHORIZED')
  }
  const outcome = await deps.authenticator.authenticateSession(token)
  if (!outcome.ok) {
    request.log.debug({ reason: outcome.reason }, 'session rejected')
    return rejected('UNAUTHORIZED')
  }
  const { user, loginId } = outcome
  return accepted({ kind: 'user', user, scope: 'core', loginId, hasCookie: true })
}
