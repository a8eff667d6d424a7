import { promises as dns, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Dispatcher } from 'undici'

/** A call to an address that is not public. */
export class ForbiddenAddress extends Error {
  readonly code = 'FORBIDDEN_ADDRESS'
  constructor() {
    super('The address is not public')
  }
}

/** Resolves names to public addresses only. It is not called for IP addresses; see `isForbiddenIp`. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, options, (error, address, family) => {
    const addresses = Array.isArray(address) ? address.map((entry) => entry.address) : [address]
    if (!error && !addresses.every(isPublic)) return callback(new ForbiddenAddress(), '', 0)
    callback(error, address, family)
  })
}

/** Returns whether a host is an IP address, with or without brackets, that is not public. */
export function isForbiddenIp(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '')
  return isIP(address) !== 0 && !isPublic(address)
}

/** The prefix of NAT64 (RFC 6052), by which networks without IPv4 reach the IPv4 address in the last 32 bits. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** Returns whether an address is global unicast: not loopback, private, shared, link-local, multicast or reserved. */
function isPublic(address: string): boolean {
  const parsed = ipaddr.process(address)
  const reached =
    parsed instanceof ipaddr.IPv6 && parsed.match(NAT64)
      ? ipaddr.fromByteArray(parsed.toByteArray().slice(12))
      : parsed
  return reached.range() === 'unicast'
}

/**
 * Creates the HTTP agent for calls to app servers. Unless private networks are allowed, it connects to public
 * addresses only. The check applies to the address of the connection, so a name cannot resolve to another address in
 * between (decision W5). Loads undici on the first call, which keeps the start of the cloud fast.
 */
export async function createGuardedAgent(allowPrivateNetworks: boolean): Promise<Dispatcher> {
  const { Agent } = await import('undici')
  const options = { keepAliveTimeout: 10_000, connections: 32 }
  if (allowPrivateNetworks) return new Agent(options)
  return new Agent({ ...options, connect: { lookup: publicLookup } }).compose(
    (dispatch) => (request, handler) => {
      // An IP address is never passed to `lookup`.
      if (isForbiddenIp(new URL(String(request.origin)).hostname)) throw new ForbiddenAddress()
      return dispatch(request, handler)
    },
  )
}

/** The result of resolving the host of an app server. */
type ResolvedHost =
  | { readonly ok: true; readonly addresses: readonly string[] }
  | {
      readonly ok: false
      /** `FORBIDDEN_ADDRESS`, `TIMEOUT` or the code of the DNS error. */
      readonly code: string
    }

/**
 * Resolves a host as calls to app servers do, without connecting. Never rejects.
 * @param hostname of a URL; IPv6 addresses in brackets
 */
export async function resolveHost(
  hostname: string,
  { allowPrivateNetworks, timeoutMs }: { readonly allowPrivateNetworks: boolean; readonly timeoutMs: number },
): Promise<ResolvedHost> {
  const host = hostname.replace(/^\[|\]$/g, '')
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), timeoutMs)
  })
  try {
    const found = isIP(host) ? [host] : await Promise.race([resolve(host), timeout])
    if (found === 'timeout') return { ok: false, code: 'TIMEOUT' }
    if (!allowPrivateNetworks && found.some(isForbiddenIp)) return { ok: false, code: 'FORBIDDEN_ADDRESS' }
    return { ok: true, addresses: found }
  } catch (error) {
    return { ok: false, code: (error as NodeJS.ErrnoException).code ?? 'DNS_ERROR' }
  } finally {
    clearTimeout(timer)
  }
}

async function resolve(host: string): Promise<string[]> {
  const found = await dns.lookup(host, { all: true })
  return found.map(({ address }) => address)
}
