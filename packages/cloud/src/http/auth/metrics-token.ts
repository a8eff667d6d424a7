import { createHash, timingSafeEqual } from 'node:crypto'
import { bearerToken } from './bearer.ts'
import type { AnonymousCaller } from './caller.ts'
import { none } from './none.ts'
import { type AuthScheme, absent, accepted, rejected } from './scheme.ts'

/** Requires `METRICS_TOKEN` as bearer token, if it is configured. */
export function metricsToken(token: string | undefined): AuthScheme<AnonymousCaller> {
  if (token === undefined) return none
  const expected = digest(token)
  return {
    name: 'metricsToken',
    security: [{ metricsToken: { type: 'http', scheme: 'bearer', description: 'The METRICS_TOKEN' } }],
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
