import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Dispatcher } from 'undici'

/** A call to an address that app servers may not have. */
class ForbiddenAddress extends Error {
  readonly code = 'FORBIDDEN_ADDRESS'
  constructor() {
    super('The address is not a public one')
  }
}

/**
 * Opens the HTTP agent for calls to app servers. Unless private networks are allowed it connects to public addresses
 * only, and decides on the very address it connects to, so that no name can resolve to something else in between
 * (decision W5). The library is loaded here, not at start-up, which need not wait for it.
 */
export async function createGuardedAgent(allowPrivateNetworks: boolean): Promise<Dispatcher> {
  const { Agent } = await import('undici')
  const options = { keepAliveTimeout: 10_000, connections: 32 }
  if (allowPrivateNetworks) return new Agent(options)
  return new Agent({ ...options, connect: { lookup: publicLookup } }).compose(
    (dispatch) => (request, handler) => {
      // An address written as a number is never looked up.
      const host = new URL(String(request.origin)).hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) && !isPublic(host)) throw new ForbiddenAddress()
      return dispatch(request, handler)
    },
  )
}

const publicLookup: LookupFunction = (hostname, options, found) => {
  lookup(hostname, options, (error, address, family) => {
    const addresses = Array.isArray(address) ? address.map((one) => one.address) : [address]
    if (!error && !addresses.every(isPublic)) return found(new ForbiddenAddress(), '', 0)
    found(error, address, family)
  })
}

/** Global unicast: not this machine, not a private, shared, link-local, multicast or reserved range. */
function isPublic(address: string): boolean {
  return ipaddr.process(address).range() === 'unicast'
}
