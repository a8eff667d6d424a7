import { createHash, timingSafeEqual } from 'node:crypto'
import { isFromForeignPage } from '../request-origin.ts'
import {
  type AnonymousCaller,
  type AuthScheme,
  absent,
  accepted,
  bearer,
  bearerToken,
  rejected,
} from './scheme.ts'

/** No authentication; credentials are ignored. */
export const none: AuthScheme<AnonymousCaller> = {
  name: 'none',
  security: [],
  errors: [],
  authenticate: async () => accepted({ kind: 'anonymous' }),
}

/**
 * No authentication, but requests that a browser sends for a page of another site are rejected, so that no page can sign
 * its visitors in or out.
 */
export const ownPages: AuthScheme<AnonymousCaller> = {
  name: 'ownPages',
  security: [],
  errors: ['CROSS_SITE_REQUEST'],
  authenticate: async (request, deps) =>
    isFromForeignPage(request, deps) ? rejected('CROSS_SITE_REQUEST') : accepted({ kind: 'anonymous' }),
}

/** Requires `METRICS_TOKEN` as bearer token, if it is configured. */
export function metricsTokenScheme(token: string | undefined): AuthScheme<AnonymousCaller> {
  if (token === undefined) return none
  const expected = digest(token)
  return {
    name: 'metricsToken',
    security: [{ metricsToken: bearer('The METRICS_TOKEN') }],
    errors: ['UNAUTHORIZED'],
    async authenticate(request) {
      const presented = bearerToken(request.headers.authorization)
      if (presented === undefined) return absent('UNAUTHORIZED')
      return timingSafeEqual(digest(presented), expected)
        ? accepted({ kind: 'anonymous' })
        : rejected('UNAUTHORIZED')
    },
  }
}

/** Hashing gives both tokens the same length, which a comparison in constant time requires. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
