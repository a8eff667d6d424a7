import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { accountQuery, exportsQuery } from '../../api/account.ts'
import { loginsQuery, signInMethodsQuery } from '../../api/security.ts'
import { signedIn } from '../../routes.tsx'

const account = createRoute({
  getParentRoute: () => signedIn,
  id: 'account',
  component: lazyRouteComponent(() => import('./AccountPages.tsx'), 'AccountFrame'),
})

const pages = [
  createRoute({
    getParentRoute: () => account,
    path: '/account',
    loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(accountQuery),
    component: lazyRouteComponent(() => import('./AccountPages.tsx'), 'ProfilePage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/account/security',
    loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(signInMethodsQuery),
    component: lazyRouteComponent(() => import('./AccountPages.tsx'), 'SecurityPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/account/sessions',
    loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(loginsQuery),
    component: lazyRouteComponent(() => import('./AccountPages.tsx'), 'AccessPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/account/data',
    loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(exportsQuery),
    component: lazyRouteComponent(() => import('./AccountPages.tsx'), 'DataPage'),
  }),
] as const

/** The pages about the account of the signed-in user. */
export const accountRoutes = account.addChildren(pages)
