/** Names by which only the computer itself reaches the cloud. */
const LOOPBACK = /^(?:(?:.*\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** How other devices reach an address. */
export type AddressKind = 'https' | 'plain' | 'loopback'

export function addressKind(address: string): AddressKind {
  const { hostname, protocol } = new URL(address)
  if (LOOPBACK.test(hostname)) return 'loopback'
  return protocol === 'https:' ? 'https' : 'plain'
}

/**
 * Returns the address for other devices: the public one, unless that leads to the computer itself, as it does where
 * `PUBLIC_URL` is not set.
 * @param pageUrl that of this page, which this browser reaches
 */
export function cloudAddress(publicUrl: string, pageUrl: string): string {
  return addressKind(publicUrl) === 'loopback' ? pageUrl : publicUrl.replace(/\/+$/, '')
}
