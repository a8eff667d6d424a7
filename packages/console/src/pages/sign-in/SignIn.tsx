import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useLinkedAccounts } from '../../api/security.ts'
import { sessionWatch } from '../../api/session.ts'
import { signInOptionsQuery, useSignedIn } from '../../api/sign-in.ts'
import { QueryState } from '../../components/States.tsx'
import { useLinkParameters } from '../../url-state.ts'
import { IssuerFailure } from './Issuers.tsx'
import { SignInForm } from './SignInForm.tsx'
import { SignInFrame } from './SignInFrame.tsx'
import { isInvitation, useNextPage } from './use-next-page.ts'

/** The sign-in, which then leads to the page that the address names. */
export function SignIn() {
  const parameters = useLinkParameters()
  const options = useQuery(signInOptionsQuery)
  const next = useNextPage()
  const proceed = useContinue(next, parameters.get('link'))
  // Whoever comes here left the page that a user saw.
  useEffect(() => sessionWatch.forget(), [])
  return (
    <SignInFrame title="Sign in">
      {isInvitation(next) && (
        <p>Sign in, or create an account, to join the organization that you were invited to.</p>
      )}
      <IssuerFailure code={parameters.get('error')} />
      <QueryState query={options}>
        {(loaded) => (
          <>
            <SignInForm options={loaded} next={next} onSignedIn={proceed} />
            <p>
              <Link to="/reset-password">Forgot the password?</Link>
            </p>
            {loaded.signUp === 'closed' ? (
              <p className="muted">This cloud accepts no new accounts. Ask its operator for one.</p>
            ) : (
              <p>
                No account yet?{' '}
                <Link to="/sign-up" search={(search) => search}>
                  Create an account
                </Link>
              </p>
            )}
          </>
        )}
      </QueryState>
    </SignInFrame>
  )
}

/**
 * Leads to the next page after the sign-in.
 * @param issuer where the user has an account to be linked first: the issuer sends the browser back to that page
 */
function useContinue(next: string, issuer: string | null) {
  const { link } = useLinkedAccounts()
  const navigate = useNavigate()
  const signedIn = useSignedIn()
  return async () => {
    await signedIn()
    if (issuer === null) await navigate({ href: next, replace: true })
    else window.location.assign(await link(issuer, next))
  }
}
