/**
 * Headers every answer carries. An endpoint that serves pages or cacheable files sets its own over them.
 * @param secure whether clients come over HTTPS, and should from then on
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
