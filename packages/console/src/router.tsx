import type { QueryClient } from '@tanstack/react-query'
import { createRouter, parseSearchWith, stringifySearchWith } from '@tanstack/react-router'
import { ErrorState, Loading } from './components/States.tsx'
import { isMissingPart, MissingPart } from './missing-parts.ts'
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

/** Creates the router. Pages and their data are loaded when a page is opened, or the pointer rests on a link to it. */
export function createConsoleRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
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
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
