import type { IncomingMessage, Server } from 'node:http'

/**
 * Makes a server answer requests and handshakes below a path as those without it. A proxy may pass the path on or remove
 * it; one that removes it and says so (`X-Forwarded-Prefix`) may use a path that begins as one of the cloud.
 * @param basePath such as `/glasses`; empty: does nothing
 */
export function serveBelow(server: Server, basePath: string): void {
  if (basePath === '') return
  const remove = (request: IncomingMessage) => {
    if (request.headers['x-forwarded-prefix'] === undefined)
      request.url = withoutBasePath(request.url ?? '/', basePath)
  }
  server.prependListener('request', remove)
  server.prependListener('upgrade', remove)
}

function withoutBasePath(url: string, basePath: string): string {
  if (!url.startsWith(basePath)) return url
  const rest = url.slice(basePath.length)
  if (rest.startsWith('/')) return rest
  return rest === '' || rest.startsWith('?') ? `/${rest}` : url
}
