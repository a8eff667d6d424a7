const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/** Returns the public URL without and with its port; phones always send the port. */
function spellingsOf(publicUrl: URL): string[] {
  const { protocol, hostname, pathname } = publicUrl
  const port = publicUrl.port === '' ? DEFAULT_PORTS[protocol] : publicUrl.port
  const path = pathname.replace(/\/+$/, '')
  return [publicUrl.origin + path, `${protocol}//${hostname}:${port}${path}`]
}

/**
 * Whether a text may be hashed with the key of an app for a user. Apps trust such a hash: the hash of an e-mail address
 * identifies their user, and apps send their API key to a hashed URL. Therefore only the user's own e-mail and the configured URL are
 * allowed, never a URL taken from the request.
 */
export function isHashable(text: string, email: string, publicUrl: URL): boolean {
  return text === email || spellingsOf(publicUrl).includes(text)
}
