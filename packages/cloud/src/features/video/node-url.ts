import { networkInterfaces } from 'node:os'
import type { Config } from '../../config/index.ts'

/**
 * Returns the address at which other nodes reach this one: `NODE_URL`, or the address it listens on. A node that listens
 * on all addresses has that of its first network interface.
 * @param listening URL that this machine reaches it at
 */
export function nodeUrl({ http }: Config, listening: string): string {
  if (http.nodeUrl) return http.nodeUrl.href.replace(/\/+$/, '')
  if (http.host !== '0.0.0.0' && http.host !== '::') return listening
  const external = Object.values(networkInterfaces())
    .flat()
    .find((address) => address !== undefined && !address.internal && address.family === 'IPv4')
  if (!external) return listening
  const url = new URL(listening)
  url.hostname = external.address
  return url.origin
}
