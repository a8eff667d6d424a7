import { hostname, networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { HOME_DOMAINS, isPrivateHost } from '../../config/index.ts'

/** Networks of homes, and of the machine itself. */
const NETWORKS = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '127.0.0.0/8',
  'fc00::/7',
  'fe80::/10',
  '::1/128',
]

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Returns the name of this machine without a domain; undefined if it is no name of the DNS. */
function machineName(): string | undefined {
  const name = hostname().toLowerCase().split('.', 1)[0] ?? ''
  return LABEL.test(name) && name !== 'localhost' ? name : undefined
}

/** Returns the names and addresses at which a home network reaches this machine. */
export function machineNames(): string[] {
  const name = machineName()
  const addresses = Object.values(networkInterfaces())
    .flatMap((found) => found ?? [])
    .map(({ address }) => ipaddr.parse(address.split('%', 1)[0] ?? address).toString())
    // Link-local addresses need a zone, which no URL has.
    .filter((address) => isPrivateHost(address) && ipaddr.parse(address).range() !== 'linkLocal')
  const names = name === undefined ? [] : [name, ...HOME_DOMAINS.map((domain) => `${name}.${domain}`)]
  return [...new Set(['localhost', '127.0.0.1', '::1', ...names, ...addresses])]
}

/** Returns what an authority of this machine may issue for. @param hosts further names */
export function permittedNames(hosts: readonly string[]): string[] {
  const name = machineName()
  const further = hosts.map((host) =>
    ipaddr.isValid(host) ? `${host}/${host.includes(':') ? 128 : 32}` : host,
  )
  return [
    ...new Set([
      'localhost',
      ...HOME_DOMAINS,
      ...(name === undefined ? [] : [name]),
      ...further,
      ...NETWORKS,
    ]),
  ]
}

/** Returns whether an authority with these permitted names may issue for a name or address. */
export function isPermitted(name: string, permitted: readonly string[]): boolean {
  if (!ipaddr.isValid(name)) return permitted.some((domain) => name === domain || name.endsWith(`.${domain}`))
  const address = ipaddr.parse(name)
  return permitted
    .filter((each) => each.includes('/'))
    .map((network) => ipaddr.parseCIDR(network))
    .some(([base, bits]) => base.kind() === address.kind() && address.match([base, bits] as never))
}
