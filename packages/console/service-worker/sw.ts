/**
 * The service worker of the console: shows a page that says so while the cloud cannot be reached. It stores nothing but
 * that page; answers of the cloud are never stored.
 */
declare const self: ServiceWorkerGlobalScope

/** Replaced by the build, so that each build has a worker and a cache of its own. */
const CACHE = 'offline-__BUILD__'

const OFFLINE_PAGE = '/offline.html'
const OFFLINE_FILES = [OFFLINE_PAGE, '/offline.css', '/offline.js', '/favicon.svg']

/** Pages of the console and mistyped addresses; downloads and redirects of the interface are left alone. */
const isPage = ({ mode, url }: Request) =>
  mode === 'navigate' && !/^\/(api|auth|docs)(\/|$)/.test(new URL(url).pathname)

self.addEventListener('install', (event) => {
  event.waitUntil(storeOfflineFiles())
})

self.addEventListener('activate', (event) => {
  event.waitUntil(removeOtherCaches())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET') return
  if (isPage(request)) event.respondWith(fetch(request).catch(() => stored(OFFLINE_PAGE)))
  else if (OFFLINE_FILES.includes(new URL(request.url).pathname))
    event.respondWith(fetch(request).catch(() => stored(request)))
})

async function storeOfflineFiles(): Promise<void> {
  const cache = await caches.open(CACHE)
  await cache.addAll(OFFLINE_FILES.map((url) => new Request(url, { cache: 'reload' })))
  await self.skipWaiting()
}

async function removeOtherCaches(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))
  await self.clients.claim()
}

async function stored(request: RequestInfo): Promise<Response> {
  return (await caches.match(request)) ?? Response.error()
}

// A module of its own, whose `self` is not that of a page.
export {}
