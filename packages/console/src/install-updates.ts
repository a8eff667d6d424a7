/** Age in ms of a page that may load itself anew: a failure at its start would repeat itself. */
const MIN_AGE_MS = 10_000

/**
 * Registers the service worker, which shows a page while the cloud cannot be reached, and loads the page anew when a part
 * of it no longer exists, because the console was built again. Does nothing in `npm run console`.
 */
export function installUpdates(): void {
  if (!import.meta.env.PROD) return
  window.addEventListener('vite:preloadError', (event) => {
    if (performance.now() < MIN_AGE_MS) return
    event.preventDefault()
    window.location.reload()
  })
  // Browsers have none at addresses without https, except at localhost. A failed registration costs only that page.
  if (window.isSecureContext && 'serviceWorker' in navigator)
    void navigator.serviceWorker.register('/sw.js').catch(() => {})
}
