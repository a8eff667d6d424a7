import { isIP } from 'node:net'
import { type Config, isLoopbackHost } from '../config/index.ts'
import type { Tls } from './tls.ts'

type Named = Pick<Config, 'http' | 'tls'>

/**
 * Returns the host at which clients reach the cloud: that of `PUBLIC_URL`, otherwise the first of `TLS_HOSTS`, otherwise
 * the first name of the certificate. With `TLS=local` on all interfaces it is the first IPv4 address of this machine.
 */
export function publicNameOf({ http, tls: config }: Named, tls: Tls): string {
  if (http.publicUrl) return http.publicUrl.hostname
  const hosts = config.mode === 'off' ? [] : config.hosts
  const names = tls.facts?.names.filter((name) => !name.startsWith('*')) ?? []
  if (hosts[0] !== undefined) return hosts[0]
  // Phones have no name for this machine that always works, only its address.
  const address = names.find((name) => isIP(name) === 4 && !isLoopbackHost(name))
  const isOpen = http.host === '0.0.0.0' || http.host === '::'
  if (config.mode === 'local' && isOpen && address !== undefined) return address
  return names[0] ?? http.host
}

/**
 * Returns whether browsers are to use HTTPS only from now on: where clients reach the cloud over HTTPS at a name of the
 * DNS, and with a certificate that every browser trusts.
 */
export function isStrict(config: Named, tls: Tls | undefined): boolean {
  if (config.tls.mode === 'local') return false
  if (!tls && config.http.publicUrl?.protocol !== 'https:') return false
  const host = tls ? publicNameOf(config, tls) : (config.http.publicUrl?.hostname ?? '')
  const isName = isIP(host.replace(/^\[|\]$/g, '')) === 0 && host.includes('.')
  return isName && !isLoopbackHost(host) && !host.endsWith('.local')
}
