/** The ports that addresses without one mean. */
const usualPort: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/** The ways to write the public address of a cloud: without its port, and with it, as phones always do. */
function writtenAddresses(publicUrl: URL): string[] {
  const { protocol, hostname, pathname } = publicUrl
  const port = publicUrl.port === '' ? usualPort[protocol] : publicUrl.port
  const path = pathname.replace(/\/+$/, '')
  return [publicUrl.origin + path, `${protocol}//${hostname}:${port}${path}`]
}

/**
 * Whether a user may have a text hashed with the key of an app. Apps believe such a hash: followed by one of an e-mail,
 * that this is their user; of an address, that they may send their API key there. So it is the user's own e-mail, or
 * the configured address of this cloud, letter for letter; what a request says the address is does not count.
 */
export function isHashable(text: string, email: string, publicUrl: URL): boolean {
  return text === email || writtenAddresses(publicUrl).includes(text)
}
