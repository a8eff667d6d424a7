import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { developerAppQuery, developerAppsQuery, keysQuery } from '../../api/developer.ts'
import { signedIn } from '../../routes.tsx'

/** The frame of the pages about one app of a developer. */
const app = createRoute({
  getParentRoute: () => signedIn,
  path: '/developer/apps/$packageName',
  loader: ({ context: { queryClient }, params }) =>
    void queryClient.prefetchQuery(developerAppQuery(params.packageName)),
  component: lazyRouteComponent(() => import('./DeveloperPages.ts'), 'AppFrame'),
})

const appPages = [
  createRoute({
    getParentRoute: () => app,
    path: '/',
    component: lazyRouteComponent(() => import('./DeveloperPages.ts'), 'OverviewPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/edit',
    component: lazyRouteComponent(() => import('./DeveloperPages.ts'), 'EditPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/keys',
    loader: ({ context: { queryClient }, params }) =>
      void queryClient.prefetchQuery(keysQuery(params.packageName)),
    component: lazyRouteComponent(() => import('./DeveloperPages.ts'), 'KeysPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/connection',
    component: lazyRouteComponent(() => import('./DeveloperPages.ts'), 'ConnectionPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/log',
    component: lazyRouteComponent(() => import('./DeveloperPages.ts'), 'LogPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/usage',
    component: lazyRouteComponent(() => import('./DeveloperPages.ts'), 'UsagePage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/first-app',
    component: lazyRouteComponent(() => import('./DeveloperPages.ts'), 'FirstAppPage'),
  }),
] as const

export const developerRoutes = [
  createRoute({
    getParentRoute: () => signedIn,
    path: '/developer',
    loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(developerAppsQuery),
    component: lazyRouteComponent(() => import('./DeveloperPages.ts'), 'DeveloperPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/developer/new',
    validateSearch: (search): { first?: true } => (String(search.first) === 'true' ? { first: true } : {}),
    component: lazyRouteComponent(() => import('./DeveloperPages.ts'), 'NewAppPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/developer/first-app',
    component: lazyRouteComponent(() => import('./DeveloperPages.ts'), 'FirstAppIntroPage'),
  }),
  app.addChildren(appPages),
] as const
