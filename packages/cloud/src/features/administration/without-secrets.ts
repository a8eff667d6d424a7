/** Names of settings whose values are secret. */
const SECRET_NAME = /secret|password|passphrase|credential|private|token|key/i

/** Settings whose names match although they are not secret. */
const PUBLIC_NAMES = new Set(['apiKeyPackages'])

/**
 * Copies settings for display. Secret values become `[set]`, missing ones null; addresses lose user, password, query
 * and fragment.
 */
export function withoutSecrets(value: unknown, name = ''): unknown {
  if (value === undefined || value === null) return null
  if (SECRET_NAME.test(name) && !PUBLIC_NAMES.has(name) && typeof value !== 'boolean') return '[set]'
  if (value instanceof URL) return publicAddress(value)
  if (typeof value === 'string') {
    const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? URL.parse(value) : null
    return url === null ? value : publicAddress(url)
  }
  if (Array.isArray(value)) return value.map((entry) => withoutSecrets(entry))
  if (typeof value !== 'object') return typeof value === 'function' ? null : value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withoutSecrets(entry, key)]))
}

function publicAddress(url: URL): string {
  const shown = new URL(url)
  shown.username = ''
  shown.password = ''
  shown.search = ''
  shown.hash = ''
  return shown.href
}
