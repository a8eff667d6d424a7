import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Dispatcher } from 'undici'

/** A call to an address that is not public. */
class ForbiddenAddress extends Error {
  readonly code = 'FORBIDDEN_ADDRESS'
  constructor() {
    super('The address is not public')
  }
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
      const host = new URL(String(request.origin)).hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) && !isPublic(host)) throw new ForbiddenAddress()
      return dispatch(request, handler)
    },
  )
}

const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, options, (error, address, family) => {
    const addresses = Array.isArray(address) ? address.map((entry) => entry.address) : [address]
    if (!error && !addresses.every(isPublic)) return callback(new ForbiddenAddress(), '', 0)
    callback(error, address, family)
  })
}

/** Returns whether an address is global unicast: not loopback, private, shared, link-local, multicast or reserved. */
function isPublic(address: string): boolean {
  return ipaddr.process(address).range() === 'unicast'
}
