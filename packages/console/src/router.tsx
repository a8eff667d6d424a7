import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { sessionQuery } from './api/session.ts'
import { signInOptionsQuery } from './api/sign-in.ts'
import { ErrorState, Loading } from './components/States.tsx'
import { Shell } from './layout/Shell.tsx'
import { NotFound } from './pages/NotFound.tsx'

interface RouterContext {
  readonly queryClient: QueryClient
}

const root = createRootRouteWithContext<RouterContext>()({ component: Outlet, notFoundComponent: NotFound })

/** Pages for people who are not signed in. */
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: readNextPage,
  beforeLoad: async ({ context }) => {
    const { isSetUp } = await context.queryClient.ensureQueryData(signInOptionsQuery)
    if (!isSetUp) throw redirect({ to: '/sign-up', replace: true })
  },
  component: lazyRouteComponent(() => import('./pages/sign-in/SignIn.tsx'), 'SignIn'),
})

const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  validateSearch: readNextPage,
  component: lazyRouteComponent(() => import('./pages/sign-in/SignUp.tsx'), 'SignUp'),
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./pages/sign-in/ResetPassword.tsx'), 'ResetPassword'),
})

const verifyEmail = createRoute({
  getParentRoute: () => root,
  path: '/verify-email',
  component: lazyRouteComponent(() => import('./pages/sign-in/VerifyEmail.tsx'), 'VerifyEmail'),
})

/** Returns the signed-in user; without one, leads to the sign-in, which leads back. */
async function requireUser({
  context: { queryClient },
  location,
}: {
  readonly context: RouterContext
  readonly location: { readonly href: string }
}) {
  const user = await queryClient.ensureQueryData(sessionQuery)
  if (user !== null) return { user }
  const { isSetUp } = await queryClient.ensureQueryData(signInOptionsQuery)
  throw isSetUp ? redirect({ to: '/sign-in', search: { to: location.href } }) : redirect({ to: '/sign-up' })
}

/** Needs a signed-in user, but not the navigation: people come here from another device. */
const device = createRoute({
  getParentRoute: () => root,
  path: '/device',
  beforeLoad: requireUser,
  component: lazyRouteComponent(() => import('./pages/sign-in/DeviceSignIn.tsx'), 'DeviceSignIn'),
})

/** Everything else needs a signed-in user, and is shown inside the navigation. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: requireUser,
  component: Shell,
})

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/store', replace: true })
  },
})

const apps = createRoute({
  getParentRoute: () => signedIn,
  path: '/store',
  component: lazyRouteComponent(() => import('./pages/apps/AppsPage.tsx'), 'AppsPage'),
})

const app = createRoute({
  getParentRoute: () => signedIn,
  path: '/store/$packageName',
  component: lazyRouteComponent(() => import('./pages/apps/AppPage.tsx'), 'AppPage'),
})

const glasses = createRoute({
  getParentRoute: () => signedIn,
  path: '/glasses',
  component: lazyRouteComponent(() => import('./pages/glasses/GlassesPage.tsx'), 'GlassesPage'),
})

const gallery = createRoute({
  getParentRoute: () => signedIn,
  path: '/gallery',
  component: lazyRouteComponent(() => import('./pages/gallery/GalleryPage.tsx'), 'GalleryPage'),
})

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyRouteComponent(() => import('./pages/account/AccountPage.tsx'), 'AccountPage'),
})

const accountSecurity = createRoute({
  getParentRoute: () => signedIn,
  path: '/account/security',
  component: lazyRouteComponent(() => import('./pages/account/SecurityPage.tsx'), 'SecurityPage'),
})

const accountSessions = createRoute({
  getParentRoute: () => signedIn,
  path: '/account/sessions',
  component: lazyRouteComponent(() => import('./pages/account/SessionsPage.tsx'), 'SessionsPage'),
})

const accountData = createRoute({
  getParentRoute: () => signedIn,
  path: '/account/data',
  component: lazyRouteComponent(() => import('./pages/account/DataPage.tsx'), 'DataPage'),
})

const developer = createRoute({
  getParentRoute: () => signedIn,
  path: '/developer',
  component: lazyRouteComponent(() => import('./pages/developer/DeveloperPage.tsx'), 'DeveloperPage'),
})

const newApp = createRoute({
  getParentRoute: () => signedIn,
  path: '/developer/new',
  validateSearch: (search): { first?: true } => (search.first === true ? { first: true } : {}),
  component: lazyRouteComponent(() => import('./pages/developer/NewAppPage.tsx'), 'NewAppPage'),
})

const firstAppIntro = createRoute({
  getParentRoute: () => signedIn,
  path: '/developer/first-app',
  component: lazyRouteComponent(() => import('./pages/developer/FirstAppIntroPage.tsx'), 'FirstAppIntroPage'),
})

/** The pages about one app of a developer. */
const ownApp = createRoute({
  getParentRoute: () => signedIn,
  path: '/developer/apps/$packageName',
  component: lazyRouteComponent(() => import('./pages/developer/AppFrame.tsx'), 'AppFrame'),
})

const ownAppParts = [
  createRoute({
    getParentRoute: () => ownApp,
    path: '/',
    component: lazyRouteComponent(() => import('./pages/developer/OverviewPage.tsx'), 'OverviewPage'),
  }),
  createRoute({
    getParentRoute: () => ownApp,
    path: '/edit',
    component: lazyRouteComponent(() => import('./pages/developer/EditPage.tsx'), 'EditPage'),
  }),
  createRoute({
    getParentRoute: () => ownApp,
    path: '/keys',
    component: lazyRouteComponent(() => import('./pages/developer/KeysPage.tsx'), 'KeysPage'),
  }),
  createRoute({
    getParentRoute: () => ownApp,
    path: '/connection',
    component: lazyRouteComponent(() => import('./pages/developer/ConnectionPage.tsx'), 'ConnectionPage'),
  }),
  createRoute({
    getParentRoute: () => ownApp,
    path: '/log',
    component: lazyRouteComponent(() => import('./pages/developer/LogPage.tsx'), 'LogPage'),
  }),
  createRoute({
    getParentRoute: () => ownApp,
    path: '/usage',
    component: lazyRouteComponent(() => import('./pages/developer/UsagePage.tsx'), 'UsagePage'),
  }),
  createRoute({
    getParentRoute: () => ownApp,
    path: '/first-app',
    component: lazyRouteComponent(() => import('./pages/developer/FirstAppPage.tsx'), 'FirstAppPage'),
  }),
] as const

const organizations = createRoute({
  getParentRoute: () => signedIn,
  path: '/organizations',
  component: lazyRouteComponent(
    () => import('./pages/organizations/OrganizationsPage.tsx'),
    'OrganizationsPage',
  ),
})

const organization = createRoute({
  getParentRoute: () => signedIn,
  path: '/organizations/$org',
  component: lazyRouteComponent(
    () => import('./pages/organizations/OrganizationPage.tsx'),
    'OrganizationPage',
  ),
})

/** The page that the link of an invitation to an organization leads to. */
const join = createRoute({
  getParentRoute: () => signedIn,
  path: '/join',
  component: lazyRouteComponent(() => import('./pages/organizations/JoinPage.tsx'), 'JoinPage'),
})

const welcome = createRoute({
  getParentRoute: () => signedIn,
  path: '/welcome',
  component: lazyRouteComponent(() => import('./pages/welcome/WelcomePage.tsx'), 'WelcomePage'),
})

/** Pages for administrators. To others they do not exist. */
const administration = createRoute({
  getParentRoute: () => signedIn,
  id: 'administration',
  beforeLoad: ({ context: { user } }) => {
    if (!user.isAdministrator) throw notFound()
  },
  notFoundComponent: NotFound,
})

const adminUsers = createRoute({
  getParentRoute: () => administration,
  path: '/admin',
  component: lazyRouteComponent(() => import('./pages/administration/UsersPage.tsx'), 'UsersPage'),
})

const adminReview = createRoute({
  getParentRoute: () => administration,
  path: '/admin/review',
  component: lazyRouteComponent(() => import('./pages/administration/ReviewPage.tsx'), 'ReviewPage'),
})

const adminSessions = createRoute({
  getParentRoute: () => administration,
  path: '/admin/sessions',
  component: lazyRouteComponent(() => import('./pages/administration/SessionsPage.tsx'), 'SessionsPage'),
})

const adminHealth = createRoute({
  getParentRoute: () => administration,
  path: '/admin/health',
  component: lazyRouteComponent(() => import('./pages/administration/HealthPage.tsx'), 'HealthPage'),
})

const adminReports = createRoute({
  getParentRoute: () => administration,
  path: '/admin/reports',
  component: lazyRouteComponent(() => import('./pages/administration/ReportsPage.tsx'), 'ReportsPage'),
})

const adminAudit = createRoute({
  getParentRoute: () => administration,
  path: '/admin/audit',
  component: lazyRouteComponent(() => import('./pages/administration/AuditPage.tsx'), 'AuditPage'),
})

const adminSettings = createRoute({
  getParentRoute: () => administration,
  path: '/admin/settings',
  component: lazyRouteComponent(() => import('./pages/administration/SettingsPage.tsx'), 'SettingsPage'),
})

const adminInvitations = createRoute({
  getParentRoute: () => administration,
  path: '/admin/invitations',
  component: lazyRouteComponent(
    () => import('./pages/administration/InvitationsPage.tsx'),
    'InvitationsPage',
  ),
})

const routeTree = root.addChildren([
  signIn,
  signUp,
  resetPassword,
  verifyEmail,
  device,
  signedIn.addChildren([
    home,
    welcome,
    apps,
    app,
    glasses,
    gallery,
    account,
    accountSecurity,
    accountSessions,
    accountData,
    developer,
    newApp,
    firstAppIntro,
    ownApp.addChildren(ownAppParts),
    organizations,
    organization,
    join,
    administration.addChildren([
      adminUsers,
      adminReview,
      adminSessions,
      adminHealth,
      adminReports,
      adminAudit,
      adminSettings,
      adminInvitations,
    ]),
  ]),
])

/** Creates the router. Pages are loaded when they are opened, or when the pointer rests on a link to them. */
export function createConsoleRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPendingComponent: () => <Loading />,
    defaultErrorComponent: ({ error, reset }) => (
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

/** The page that follows after signing in. */
function readNextPage(search: Record<string, unknown>): { to?: string } {
  return isLocalPath(search.to) ? { to: search.to } : {}
}

/** Whether a value is a path of the console, so that a link cannot redirect to another site after signing in. */
function isLocalPath(value: unknown): value is string {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value)
}
