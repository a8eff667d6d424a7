import ipaddr from 'ipaddr.js'

const LOOPBACK_RANGES = new Set(['loopback'])
/** `carrierGradeNat` is 100.64.0.0/10, the addresses of Tailscale. */
const PRIVATE_RANGES = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'])

/** Domains of home networks; names below them belong to nobody on the internet. */
export const HOME_DOMAINS: readonly string[] = ['local', 'lan', 'home.arpa', 'fritz.box']

/** Returns whether a host is a name of a home network or a private address. Names are not resolved. */
export function isPrivateHost(host: string): boolean {
  return isInRanges(host, PRIVATE_RANGES) || HOME_DOMAINS.some((domain) => host.endsWith(`.${domain}`))
}

/** Returns whether a host is localhost or a loopback address. Other names are not resolved. */
export function isLoopbackHost(host: string): boolean {
  return isInRanges(host, LOOPBACK_RANGES)
}

/** Returns whether a server with this `HOST` listens on all interfaces. */
export function isWildcardHost(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

function isInRanges(host: string, ranges: ReadonlySet<string>): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  if (bare === 'localhost' || bare.endsWith('.localhost')) return true
  return ipaddr.isValid(bare) && ranges.has(ipaddr.process(bare).range())
}
