import { type QueryClient, useQuery } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router'
import { sessionQuery, signInOptionsQuery } from './api/sign-in.ts'
import { Shell } from './layout/Shell.tsx'
import { NotFound } from './pages/NotFound.tsx'
import { SessionEnd } from './pages/sign-in/SessionEnd.tsx'

interface RouterContext {
  readonly queryClient: QueryClient
}

export const root = createRootRouteWithContext<RouterContext>()({
  component: () => (
    <>
      <Outlet />
      <SessionEnd />
    </>
  ),
  notFoundComponent: NotFound,
})

/** Returns the signed-in user; without one, leads to the sign-in, which leads back. */
export async function requireUser({
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

/** The parent of all pages that need a signed-in user. They are shown inside the navigation. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: requireUser,
  component: SignedIn,
})

function SignedIn() {
  const { user } = signedIn.useRouteContext()
  // The address may be confirmed in another tab, and rights be given.
  const { data: current } = useQuery(sessionQuery)
  return (
    <Shell user={current ?? user}>
      <Outlet />
    </Shell>
  )
}
