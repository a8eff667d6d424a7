import './styles/tokens.css'
import './styles/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from './api/query-client.ts'
import { BASE_PATH } from './base-path.ts'
import { Toasts } from './components/Toasts.tsx'
import './set-up-code.ts'
import { createConsoleRouter } from './router.tsx'
import { applyTheme } from './theme.ts'
import { allowTranslation } from './translated-page.ts'

/** Registers the service worker, which shows a page while the cloud cannot be reached. Does nothing in `npm run console`. */
function registerServiceWorker(): void {
  // Browsers have none at addresses without https, except at localhost. A failed registration costs only that page.
  if (import.meta.env.PROD && window.isSecureContext && 'serviceWorker' in navigator)
    void navigator.serviceWorker.register(`${BASE_PATH}/sw.js`).catch(() => {})
}

allowTranslation()
applyTheme()
registerServiceWorker()
const queryClient = createQueryClient()
const router = createConsoleRouter(queryClient)
const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id "root"')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toasts />
    </QueryClientProvider>
  </StrictMode>,
)
