import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import { normalizeIP } from '@fastify/rate-limit'

/** Returns the address of the client of an upgrade request, as `request.ip` does for other requests. */
export function createAddressReader(trustProxy: boolean | string[]): (request: IncomingMessage) => string {
  if (typeof trustProxy === 'boolean') return (request) => proxyAddr(request, () => trustProxy)
  return (request) => proxyAddr(request, trustProxy)
}

/**
 * Returns what identifies the host of an address: the /64 network of an IPv6 address, and one value for every loopback
 * address, since a host may use both IP versions for `localhost`.
 * @param address `request.ip`, which is undefined once the client has disconnected
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return 'disconnected'
  const normalized = normalizeIP(address, 64)
  return /^127\./.test(normalized) || address === '::1' ? 'loopback' : normalized
}

/**
 * Returns the key under which unauthenticated clients are counted: the address, or the /64 network of an IPv6 address,
 * since one customer commonly has that many addresses.
 */
export function addressKey(address: string): string {
  return `address:${normalizeIP(address, 64)}`
}
