/** Registers the service worker, which shows a page while the cloud cannot be reached. Does nothing in `npm run console`. */
export function registerServiceWorker(): void {
  // Browsers have none at addresses without https, except at localhost. A failed registration costs only that page.
  if (import.meta.env.PROD && window.isSecureContext && 'serviceWorker' in navigator)
    void navigator.serviceWorker.register('/sw.js').catch(() => {})
}
