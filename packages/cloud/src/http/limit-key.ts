import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'

/**
 * On whose account a request is counted (decision L1): a user's, an app's, else that of the address it came from. A whole /64
 * of IPv6 counts as one address, for a single customer commonly has that many.
 * @param apart the name of a count of its own, for endpoints that are counted apart
 */
export function limitKey(request: FastifyRequest, apart?: string): string {
  const account = accountOf(request.auth?.ok ? request.auth.caller : undefined)
  return `${apart === undefined ? '' : `${apart} `}${account ?? `address:${normalizeIP(request.ip, 64)}`}`
}

/** Whoever an authentication scheme has found: most callers are a user, or an app. */
function accountOf(caller: unknown): string | undefined {
  const { user, app } = (caller ?? {}) as { user?: { id: string }; app?: { packageName: string } }
  if (user !== undefined) return `user:${user.id}`
  return app === undefined ? undefined : `app:${app.packageName}`
}
