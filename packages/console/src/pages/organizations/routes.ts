import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organizationQuery, organizationsQuery } from '../../api/organizations.ts'
import { signedIn } from '../../routes.tsx'

export const organizationRoutes = [
  createRoute({
    getParentRoute: () => signedIn,
    path: '/organizations',
    loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(organizationsQuery),
    component: lazyRouteComponent(() => import('./OrganizationPages.ts'), 'OrganizationsPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/organizations/$org',
    loader: ({ context: { queryClient }, params }) =>
      void queryClient.prefetchQuery(organizationQuery(params.org)),
    component: lazyRouteComponent(() => import('./OrganizationPages.ts'), 'OrganizationPage'),
  }),
  // The link of an invitation leads here.
  createRoute({
    getParentRoute: () => signedIn,
    path: '/join',
    component: lazyRouteComponent(() => import('./OrganizationPages.ts'), 'JoinPage'),
  }),
] as const
