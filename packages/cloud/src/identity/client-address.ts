import { isIP } from 'node:net'

/**
 * Returns an IP address, an IPv4-mapped one as IPv4. A client behind `TRUST_PROXY=true` may claim any text to be its
 * address, which is not stored.
 */
export function toAddress(text: string): string | undefined {
  const address = text.replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(address) === 0 ? undefined : address
}
