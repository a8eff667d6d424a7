/**
 * Returns the headers of every response. Endpoints that serve pages or cacheable files override them.
 * @param secure whether clients connect over HTTPS; adds `Strict-Transport-Security`
 */
export function securityHeaders(secure: boolean): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(secure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}
