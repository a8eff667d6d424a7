import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../api/sign-in.ts'
import { LinkButton } from '../components/LinkButton.tsx'
import { Page } from '../components/Page.tsx'
import { Shell } from '../layout/Shell.tsx'
import { notFoundTexts as texts } from './not-found.texts.ts'
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
    <SignInFrame title={texts.title}>
      <p>{texts.explanation}</p>
      <LinkButton to="/">{texts.toStart}</LinkButton>
    </SignInFrame>
  )
}

/** The same inside the navigation, such as for the administration of users who are not administrators. */
export function NotFoundPage() {
  return (
    <Page title={texts.title} description={texts.explanation}>
      <div>
        <LinkButton to="/store">{texts.toApps}</LinkButton>
      </div>
    </Page>
  )
}
