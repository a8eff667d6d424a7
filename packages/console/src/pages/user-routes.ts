import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { appQuery, appsQuery } from '../api/apps.ts'
import { photosQuery } from '../api/gallery.ts'
import { signedIn } from '../routes.tsx'

/** The pages for everybody: store, glasses, gallery and the first steps. */
export const userRoutes = [
  createRoute({
    getParentRoute: () => signedIn,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: '/store', replace: true })
    },
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/welcome',
    component: lazyRouteComponent(() => import('./welcome/WelcomePage.tsx'), 'WelcomePage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/store',
    loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(appsQuery),
    component: lazyRouteComponent(() => import('./apps/AppsPage.tsx'), 'AppsPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/store/$packageName',
    loader: ({ context: { queryClient }, params }) =>
      void queryClient.prefetchQuery(appQuery(params.packageName)),
    component: lazyRouteComponent(() => import('./apps/AppPage.tsx'), 'AppPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/glasses',
    component: lazyRouteComponent(() => import('./glasses/GlassesPage.tsx'), 'GlassesPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/glasses/connect',
    component: lazyRouteComponent(() => import('./connect/ConnectPage.tsx'), 'ConnectPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/glasses/mine',
    component: lazyRouteComponent(() => import('./my-glasses/MyGlassesPage.tsx'), 'MyGlassesPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/glasses/bridge',
    component: lazyRouteComponent(() => import('./bridge/BridgePage.tsx'), 'BridgePage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/gallery',
    loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(photosQuery),
    component: lazyRouteComponent(() => import('./gallery/GalleryPage.tsx'), 'GalleryPage'),
  }),
] as const
