import offlinePage from './offline.html?raw'

/**
 * The service worker of the console: shows a page that says so while the cloud cannot be reached. It contains that page and
 * stores nothing, in particular no answers of the cloud.
 */
declare const self: ServiceWorkerGlobalScope

/** Pages of the console and mistyped addresses; downloads and redirects of the interface are left alone. */
const isPage = ({ mode, url }: Request) =>
  mode === 'navigate' && !/^(api|auth|docs)(\/|$)/.test(url.slice(self.registration.scope.length))

self.addEventListener('install', () => {
  void self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method === 'GET' && isPage(request)) event.respondWith(fetch(request).catch(showOffline))
})

function showOffline(): Response {
  const nonce = crypto.randomUUID()
  return new Response(offlinePage.replaceAll('__CSP_NONCE__', nonce), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    },
  })
}
