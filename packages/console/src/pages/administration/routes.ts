import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import {
  auditQuery,
  checksQuery,
  reportsQuery,
  reviewQuery,
  settingsQuery,
  signUpInvitationsQuery,
} from '../../api/administration.ts'
import { speechModelsQuery } from '../../api/speech-models.ts'
import { signedIn } from '../../routes.tsx'
import { NotFoundPage } from '../NotFound.tsx'

const administration = createRoute({
  getParentRoute: () => signedIn,
  id: 'administration',
  beforeLoad: ({ context: { user } }) => {
    if (!user.isAdministrator) throw notFound()
  },
  notFoundComponent: NotFoundPage,
  component: lazyRouteComponent(() => import('./AdministrationPages.ts'), 'AdministrationFrame'),
})

const pages = [
  createRoute({
    getParentRoute: () => administration,
    path: '/admin',
    component: lazyRouteComponent(() => import('./AdministrationPages.ts'), 'UsersPage'),
  }),
  createRoute({
    getParentRoute: () => administration,
    path: '/admin/review',
    loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(reviewQuery),
    component: lazyRouteComponent(() => import('./AdministrationPages.ts'), 'ReviewPage'),
  }),
  createRoute({
    getParentRoute: () => administration,
    path: '/admin/sessions',
    component: lazyRouteComponent(() => import('./AdministrationPages.ts'), 'SessionsPage'),
  }),
  createRoute({
    getParentRoute: () => administration,
    path: '/admin/health',
    loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(checksQuery),
    component: lazyRouteComponent(() => import('./AdministrationPages.ts'), 'HealthPage'),
  }),
  createRoute({
    getParentRoute: () => administration,
    path: '/admin/speech-models',
    loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(speechModelsQuery),
    component: lazyRouteComponent(() => import('./AdministrationPages.ts'), 'SpeechModelsPage'),
  }),
  createRoute({
    getParentRoute: () => administration,
    path: '/admin/reports',
    loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(reportsQuery),
    component: lazyRouteComponent(() => import('./AdministrationPages.ts'), 'ReportsPage'),
  }),
  createRoute({
    getParentRoute: () => administration,
    path: '/admin/audit',
    loader: ({ context: { queryClient } }) =>
      void queryClient.prefetchQuery(auditQuery({ action: undefined, cursor: undefined })),
    component: lazyRouteComponent(() => import('./AdministrationPages.ts'), 'AuditPage'),
  }),
  createRoute({
    getParentRoute: () => administration,
    path: '/admin/settings',
    loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(settingsQuery),
    component: lazyRouteComponent(() => import('./AdministrationPages.ts'), 'SettingsPage'),
  }),
  createRoute({
    getParentRoute: () => administration,
    path: '/admin/invitations',
    loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(signUpInvitationsQuery),
    component: lazyRouteComponent(() => import('./AdministrationPages.ts'), 'InvitationsPage'),
  }),
] as const

/** Pages for administrators. To others they do not exist. */
export const administrationRoutes = administration.addChildren(pages)
