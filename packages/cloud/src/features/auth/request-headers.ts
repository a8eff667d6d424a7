import type { FastifyRequest } from 'fastify'

/** The header in which better-auth receives the address of the client. Clients cannot set it. */
export const CLIENT_ADDRESS_HEADER = 'x-client-address'

/** Returns the headers of a request that better-auth may see. */
export function authHeaders({ headers, ip }: FastifyRequest): Headers {
  const result = new Headers({ [CLIENT_ADDRESS_HEADER]: ip })
  if (headers.cookie !== undefined) result.set('cookie', headers.cookie)
  const userAgent = headers['user-agent']?.slice(0, 500)
  if (userAgent !== undefined) result.set('user-agent', userAgent)
  return result
}
