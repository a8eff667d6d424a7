import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'

/**
 * Returns the key under which a request is counted (decision L1): the user, the app, or otherwise the address. An IPv6
 * /64 network counts as one address, since one customer commonly has that many.
 * @param separateCount name of a separate count, for endpoints with their own limit
 */
export function limitKey(request: FastifyRequest, separateCount?: string): string {
  const account = accountKeyOf(request.auth?.ok ? request.auth.caller : undefined)
  return `${separateCount === undefined ? '' : `${separateCount} `}${account ?? `address:${normalizeIP(request.ip, 64)}`}`
}

/** Returns the key of an authenticated user or app. */
function accountKeyOf(caller: unknown): string | undefined {
  const { user, app } = (caller ?? {}) as { user?: { id: string }; app?: { packageName: string } }
  if (user !== undefined) return `user:${user.id}`
  return app === undefined ? undefined : `app:${app.packageName}`
}
