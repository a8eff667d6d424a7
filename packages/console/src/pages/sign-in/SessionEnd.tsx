import { lazy, Suspense, useSyncExternalStore } from 'react'
import { followOtherTabs, sessionWatch } from '../../api/session.ts'

const SignInAgain = lazy(async () => ({ default: (await import('./SignInAgain.tsx')).SignInAgain }))

followOtherTabs()

/** Shows the sign-in above the page while the session of its user has ended elsewhere. Use it once. */
export function SessionEnd() {
  const user = useSyncExternalStore(sessionWatch.subscribe, () => sessionWatch.endedFor)
  if (user === undefined) return null
  return (
    <Suspense>
      <SignInAgain user={user} />
    </Suspense>
  )
}
