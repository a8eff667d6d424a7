/**
 * Returns the base of an API, to which the cloud appends paths. Documentations give bases with the version or a whole endpoint.
 * @param endpoint such as `/v1/audio/speech`, of which any start is removed from the end of the path: `/v1`, `/v1/audio` and all of it
 */
export function apiBase(url: URL, endpoint: string): URL {
  const [, ...segments] = endpoint.split('/')
  const path = url.pathname.replace(/\/+$/, '')
  const base = new URL(url)
  for (let count = segments.length; count > 0; count -= 1) {
    const start = `/${segments.slice(0, count).join('/')}`
    if (!path.endsWith(start)) continue
    base.pathname = path.slice(0, -start.length)
    break
  }
  return base
}

/** Returns the address of an endpoint, of which only the server or a base may be given. Other paths are left as they are. */
export function apiAddress(url: URL, endpoint: string): URL {
  const base = apiBase(url, endpoint)
  if (base.pathname === url.pathname && base.pathname !== '/') return url
  base.pathname = base.pathname.replace(/\/+$/, '') + endpoint
  return base
}
