import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../api/sign-in.ts'
import { LinkButton } from '../components/Button.tsx'
import { Page } from '../components/Page.tsx'
import { Shell } from '../layout/Shell.tsx'
import { SignInFrame } from './sign-in/SignInFrame.tsx'

/** Shown for an address that is no page of the console: with the navigation for signed-in users. */
export function NotFound() {
  const { data: user, isPending } = useQuery(sessionQuery)
  if (isPending) return null
  if (user)
    return (
      <Shell user={user}>
        <NotFoundPage />
      </Shell>
    )
  return (
    <SignInFrame title="Page not found">
      <p>The address may be mistyped, or the page no longer exists.</p>
      <LinkButton to="/">Go to the start page</LinkButton>
    </SignInFrame>
  )
}

/** The same inside the navigation, such as for the administration of users who are not administrators. */
export function NotFoundPage() {
  return (
    <Page title="Page not found" description="The address may be mistyped, or the page no longer exists.">
      <div>
        <LinkButton to="/store">Go to the apps</LinkButton>
      </div>
    </Page>
  )
}
