import type { IncomingMessage, Server } from 'node:http'

/**
 * Makes a server see the targets of requests and handshakes without what clients and proxies add. Repeated slashes count as
 * one: clients append their paths to the address of the cloud, which people type with a slash at its end. A path below which
 * the cloud is served may be passed on or removed by a proxy; one that removes it and says so (`X-Forwarded-Prefix`) may use
 * a path that begins as one of the cloud.
 * @param basePath such as `/glasses`; empty for a host of its own
 */
export function simplifyTargets(server: Server, basePath: string): void {
  const simplify = (request: IncomingMessage) => {
    const target = withSingleSlashes(request.url ?? '/')
    const isRemoved = request.headers['x-forwarded-prefix'] !== undefined
    request.url = isRemoved ? target : withoutBasePath(target, basePath)
  }
  server.prependListener('request', simplify)
  server.prependListener('upgrade', simplify)
}

function withSingleSlashes(target: string): string {
  return target.replace(/^\/[^?#]*/, (path) => path.replaceAll(/\/{2,}/g, '/'))
}

function withoutBasePath(target: string, basePath: string): string {
  if (!target.startsWith(basePath)) return target
  const rest = target.slice(basePath.length)
  if (rest.startsWith('/')) return rest
  return rest === '' || rest.startsWith('?') ? `/${rest}` : target
}
