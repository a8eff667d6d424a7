import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

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

/** Returns whether an address is global unicast: not loopback, private, shared, link-local, multicast or reserved. */
function isPublic(address: string): boolean {
  return ipaddr.process(address).range() === 'unicast'
}
