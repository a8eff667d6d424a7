import { isIP } from 'node:net'

/**
 * Returns an IP address, an IPv4-mapped one as IPv4. A client behind `TRUST_PROXY=true` may claim any text to be its
 * address, which is not stored.
 * @param text `request.ip`, which is undefined once the client has disconnected
 */
export function toAddress(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const address = text.replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(address) === 0 ? undefined : address
}
