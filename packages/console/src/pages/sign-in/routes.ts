import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { signInOptionsQuery } from '../../api/sign-in.ts'
import { requireUser, root } from '../../routes.tsx'

/** Pages for people who are not signed in, and that of a device, which has no navigation. */
export const signInRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    validateSearch: readNextPage,
    beforeLoad: async ({ context }) => {
      const { isSetUp } = await context.queryClient.ensureQueryData(signInOptionsQuery)
      if (!isSetUp) throw redirect({ to: '/sign-up', replace: true })
    },
    component: lazyRouteComponent(() => import('./SignInPages.ts'), 'SignIn'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/sign-up',
    validateSearch: readNextPage,
    loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(signInOptionsQuery),
    component: lazyRouteComponent(() => import('./SignInPages.ts'), 'SignUp'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/reset-password',
    component: lazyRouteComponent(() => import('./SignInPages.ts'), 'ResetPassword'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/verify-email',
    component: lazyRouteComponent(() => import('./SignInPages.ts'), 'VerifyEmail'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/device',
    // People come here from another device.
    beforeLoad: requireUser,
    component: lazyRouteComponent(() => import('./SignInPages.ts'), 'DeviceSignIn'),
  }),
] as const

/** The page that follows after signing in, as it is in the address: `useNextPage` validates it. */
function readNextPage({ to }: Record<string, unknown>): { to?: string } {
  return typeof to === 'string' ? { to } : {}
}
