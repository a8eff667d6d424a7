import type { QueryClient } from '@tanstack/react-query'
import { createRouter, parseSearchWith, stringifySearchWith } from '@tanstack/react-router'
import { useEffect } from 'react'
import { BASE_PATH } from './base-path.ts'
import { ErrorState, Loading } from './components/States.tsx'
import { accountRoutes } from './pages/account/routes.ts'
import { administrationRoutes } from './pages/administration/routes.ts'
import { developerRoutes } from './pages/developer/routes.ts'
import { organizationRoutes } from './pages/organizations/routes.ts'
import { signInRoutes } from './pages/sign-in/routes.ts'
import { userRoutes } from './pages/user-routes.ts'
import { root, signedIn } from './routes.tsx'

const routeTree = root.addChildren([
  ...signInRoutes,
  signedIn.addChildren([
    ...userRoutes,
    ...organizationRoutes,
    accountRoutes,
    ...developerRoutes,
    administrationRoutes,
  ]),
])

/**
 * Creates the router. Pages and their data are loaded when the pointer rests on a link to it, and when it is opened: it
 * shows at once what was read before, then what was changed since, elsewhere or by the glasses.
 */
export function createConsoleRouter(queryClient: QueryClient) {
  const router = createRouter({
    routeTree,
    basepath: BASE_PATH || '/',
    context: { queryClient },
    // Values of the address are texts, not JSON: a search for 1.10 stays one.
    parseSearch: parseSearchWith((text) => text),
    stringifySearch: stringifySearchWith(JSON.stringify),
    defaultPreload: 'intent',
    defaultPendingComponent: () => <Loading />,
    defaultErrorComponent: ({ error, reset }) =>
      isMissingPart(error) ? (
        <MissingPart />
      ) : (
        <ErrorState error={error instanceof Error ? error : new Error(String(error))} onRetry={reset} />
      ),
    scrollRestoration: true,
  })
  router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
    if (pathChanged) void queryClient.invalidateQueries({ refetchType: 'none' })
  })
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}

/** Errors of parts of the console that were to be loaded on first use. */
const errors = new WeakSet<Error>()

window.addEventListener('vite:preloadError', ({ payload }) => errors.add(payload))

/** Whether an error means that a part of the console could not be loaded, for instance because it was built again. */
const isMissingPart = (error: unknown): boolean => error instanceof Error && errors.has(error)

/** Lets the script of the page (`recovery/recover.js`) explain it, and load the page again. */
function MissingPart() {
  useEffect(() => void window.dispatchEvent(new Event('missing-part')), [])
  return null
}
