import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { isLoopbackHost } from '../../../config/index.ts'

/** The site to which passkeys belong. */
export interface RelyingParty {
  /** Host name, without the port. */
  readonly id: string
  readonly origin: string
}

/**
 * Returns the site of a request: the public URL. A cloud on a loopback address is also reachable as `localhost`, the only
 * name without https for which browsers create passkeys.
 * @returns undefined if browsers have no passkeys there, which require https and a host name
 */
export function relyingPartyOf(
  publicUrl: URL,
  request: Pick<FastifyRequest, 'protocol' | 'host' | 'hostname'>,
): RelyingParty | undefined {
  const isLocal = isLoopbackHost(publicUrl.hostname) && request.hostname === 'localhost'
  const { protocol, hostname, origin } = isLocal
    ? new URL(`${request.protocol}://${request.host}`)
    : publicUrl
  const isSecure = protocol === 'https:' || hostname === 'localhost'
  const isName = isIP(hostname) === 0 && !hostname.startsWith('[')
  return isSecure && isName ? { id: hostname, origin } : undefined
}
