import type { FastifyRequest } from 'fastify'

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
