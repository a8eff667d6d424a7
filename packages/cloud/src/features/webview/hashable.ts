const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/** Returns the public URL without and with its port; phones always send the port. */
function spellingsOf(publicUrl: URL): string[] {
  const { protocol, hostname, pathname } = publicUrl
  const port = publicUrl.port === '' ? DEFAULT_PORTS[protocol] : publicUrl.port
  const path = pathname.replace(/\/+$/, '')
  return [publicUrl.origin + path, `${protocol}//${hostname}:${port}${path}`]
}

/**
 * Whether a user may have a text hashed with the key of an app. Apps trust such a hash: of an e-mail, that it is their
 * user's; of a URL, that they may send their API key there. So only the user's own e-mail and the configured URL are
 * allowed, never a URL taken from the request.
 */
export function isHashable(text: string, email: string, publicUrl: URL): boolean {
  return text === email || spellingsOf(publicUrl).includes(text)
}
