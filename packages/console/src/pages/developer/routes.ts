import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { developerAppQuery, developerAppsQuery, keysQuery } from '../../api/developer.ts'
import { signedIn } from '../../routes.tsx'

/** The frame of the pages about one app of a developer. */
const app = createRoute({
  getParentRoute: () => signedIn,
  path: '/developer/apps/$packageName',
  loader: ({ context: { queryClient }, params }) =>
    void queryClient.prefetchQuery(developerAppQuery(params.packageName)),
  component: lazyRouteComponent(() => import('./AppFrame.tsx'), 'AppFrame'),
})

const appPages = [
  createRoute({
    getParentRoute: () => app,
    path: '/',
    component: lazyRouteComponent(() => import('./OverviewPage.tsx'), 'OverviewPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/edit',
    component: lazyRouteComponent(() => import('./EditPage.tsx'), 'EditPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/keys',
    loader: ({ context: { queryClient }, params }) =>
      void queryClient.prefetchQuery(keysQuery(params.packageName)),
    component: lazyRouteComponent(() => import('./KeysPage.tsx'), 'KeysPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/connection',
    component: lazyRouteComponent(() => import('./ConnectionPage.tsx'), 'ConnectionPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/log',
    component: lazyRouteComponent(() => import('./LogPage.tsx'), 'LogPage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/usage',
    component: lazyRouteComponent(() => import('./UsagePage.tsx'), 'UsagePage'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/first-app',
    component: lazyRouteComponent(() => import('./FirstAppPage.tsx'), 'FirstAppPage'),
  }),
] as const

export const developerRoutes = [
  createRoute({
    getParentRoute: () => signedIn,
    path: '/developer',
    loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(developerAppsQuery),
    component: lazyRouteComponent(() => import('./DeveloperPage.tsx'), 'DeveloperPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/developer/new',
    validateSearch: (search): { first?: true } => (String(search.first) === 'true' ? { first: true } : {}),
    component: lazyRouteComponent(() => import('./NewAppPage.tsx'), 'NewAppPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/developer/first-app',
    component: lazyRouteComponent(() => import('./FirstAppIntroPage.tsx'), 'FirstAppIntroPage'),
  }),
  app.addChildren(appPages),
] as const
