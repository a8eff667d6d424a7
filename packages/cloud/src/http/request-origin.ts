import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'

/** Returns the address of the client of an upgrade request, as `request.ip` does for other requests. */
export function createAddressReader(trustProxy: boolean | string[]): (request: IncomingMessage) => string {
  if (typeof trustProxy === 'boolean') return (request) => proxyAddr(request, () => trustProxy)
  return (request) => proxyAddr(request, trustProxy)
}

/**
 * Returns what identifies the host of an address: the /64 network of an IPv6 address, and one value for every loopback
 * address, since a host may use both IP versions for `localhost`.
 * @param address `request.ip`, which is undefined once the client has disconnected
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return 'disconnected'
  const normalized = normalizeIP(address, 64)
  return /^127\./.test(normalized) || address === '::1' ? 'loopback' : normalized
}

/**
 * Returns the key under which unauthenticated clients are counted: the address, or the /64 network of an IPv6 address,
 * since one customer commonly has that many addresses.
 */
export function addressKey(address: string): string {
  return `address:${normalizeIP(address, 64)}`
}

/** Returns an address without its trailing slashes, so that paths can be appended to it. */
export function baseUrlOf(url: URL): string {
  return url.href.replace(/\/+$/, '')
}

/** Returns the path below which the cloud is served, without a trailing slash; empty for a host of its own. */
export function basePathOf(url: URL): string {
  return url.pathname.replace(/\/+$/, '')
}

export interface OriginDeps {
  /** Base URL of the cloud. */
  readonly publicUrl: () => URL
  /** Origins of other sites whose pages may send requests with credentials (`CORS_ORIGINS`). */
  readonly trustedOrigins: readonly string[]
}

const SAFE_METHODS = new Set(['GET', 'HEAD'])

/**
 * Returns whether a request with a cookie was sent by a page that may use it. Requests that change something need
 * evidence: the header `Origin` or `Sec-Fetch-Site`, or `X-CSRF-Protection`, which other sites cannot set.
 */
export function isFromOwnPage(request: FastifyRequest, deps: OriginDeps): boolean {
  const site = siteOf(request, deps)
  if (site !== 'unknown') return site === 'own'
  return SAFE_METHODS.has(request.method) || request.headers['x-csrf-protection'] !== undefined
}

/** Returns whether a browser sent the request for a page of another site. */
export function isFromForeignPage(request: FastifyRequest, deps: OriginDeps): boolean {
  return siteOf(request, deps) === 'foreign'
}

function siteOf(
  request: FastifyRequest,
  { publicUrl, trustedOrigins }: OriginDeps,
): 'own' | 'foreign' | 'unknown' {
  const { origin, 'sec-fetch-site': fetchSite } = request.headers
  if (origin !== undefined) {
    const isOwn = origin === `${request.protocol}://${request.host}` || origin === publicUrl().origin
    return isOwn || trustedOrigins.includes(origin) ? 'own' : 'foreign'
  }
  if (fetchSite === undefined) return 'unknown'
  // `none` is a request of the user, such as a bookmark.
  return fetchSite === 'same-origin' || fetchSite === 'none' ? 'own' : 'foreign'
}

/** Returns the value of a cookie in a `Cookie` header, decoded. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const separator = pair.indexOf('=')
    if (separator === -1 || pair.slice(0, separator).trim() !== name) continue
    const value = pair.slice(separator + 1).trim()
    try {
      return decodeURIComponent(value)
    } catch {
      return value
    }
  }
  return undefined
}
