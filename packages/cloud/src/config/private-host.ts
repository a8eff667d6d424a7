import ipaddr from 'ipaddr.js'

const privateRanges = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal'])

/** Whether a host name or address is this machine or stands in a private network. Other names are not resolved. */
export function isPrivateHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  if (bare === 'localhost' || bare.endsWith('.localhost')) return true
  return ipaddr.isValid(bare) && privateRanges.has(ipaddr.process(bare).range())
}
