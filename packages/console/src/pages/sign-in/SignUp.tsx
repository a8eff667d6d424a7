import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { type SignInOptions, signInOptionsQuery, useSignedIn } from '../../api/sign-in.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Notice } from '../../components/Notice.tsx'
import { QueryState } from '../../components/States.tsx'
import { TextField } from '../../components/TextField.tsx'
import { setUpCode } from '../../set-up-code.ts'
import { useLinkParameters } from '../../url-state.ts'
import { EmailField } from './EmailField.tsx'
import { Issuers } from './Issuers.tsx'
import { NewPasswordField } from './NewPasswordField.tsx'
import { SignInFrame } from './SignInFrame.tsx'
import { isInvitation, useNextPage } from './use-next-page.ts'

/** Creates an account, perhaps with the invitation of a link. On a new cloud it is that of the administrator. */
export function SignUp() {
  const options = useQuery(signInOptionsQuery)
  const parameters = useLinkParameters()
  return (
    <SignInFrame title={options.data?.isSetUp === false ? 'Set up Glasses Cloud' : 'Create an account'}>
      <QueryState query={options}>
        {(loaded) =>
          loaded.isSetUp && loaded.signUp === 'closed' ? (
            <p>This cloud accepts no new accounts. Ask its operator for one.</p>
          ) : (
            <SignUpForm options={loaded} parameters={parameters} />
          )
        }
      </QueryState>
    </SignInFrame>
  )
}

/** Returns the invitation to an organization that the next page accepts; it permits its address to sign up. */
function joinToken(next: string): string | undefined {
  const [path, fragment = ''] = next.split('#')
  return path === '/join' ? (new URLSearchParams(fragment).get('token') ?? undefined) : undefined
}

interface SignUpFormProps {
  readonly options: SignInOptions
  /** The parameters of an invitation link. */
  readonly parameters: URLSearchParams
}

function SignUpForm({ options, parameters }: SignUpFormProps) {
  const [isLinkSent, setLinkSent] = useState(false)
  const [email, setEmail] = useState(parameters.get('email') ?? '')
  const next = useNextPage()
  const navigate = useNavigate()
  const signedIn = useSignedIn()
  const { isSetUp, setUpCodeRequired, signUp, issuers } = options
  const invitation = parameters.get('invitation') ?? joinToken(next) ?? ''
  if (isLinkSent) {
    return (
      <Notice tone="success" title="Confirm your address">
        Follow the link in the message that was sent to you, then sign in.
      </Notice>
    )
  }
  return (
    <>
      {!isSetUp && (
        <p className="muted">Create the administrator of this cloud. You can add other people later.</p>
      )}
      {isInvitation(next) && (
        <p>Sign in, or create an account, to join the organization that you were invited to.</p>
      )}
      <ActionForm
        submitLabel={isSetUp ? 'Create account' : 'Create administrator'}
        onSubmit={async (fields) => {
          const { email = '', password = '', ...optional } = Object.fromEntries(fields)
          const body = { email, password, ...optional }
          const { token } = await unwrap(api.POST('/api/auth/sign-up/email', { body }))
          // Where addresses are confirmed, a new account is not signed in.
          if (token === null) return setLinkSent(true)
          await signedIn()
          await navigate({ href: isSetUp ? next : '/welcome', replace: true })
        }}
      >
        <EmailField defaultValue={email} onChange={setEmail} />
        <NewPasswordField email={email} />
        <TextField name="name" label="Name (optional)" autoComplete="name" />
        {setUpCodeRequired && (
          <TextField
            name="setUpCode"
            label="Set-up code"
            description="The server printed it in its log when it started, with a link that contains it."
            defaultValue={setUpCode ?? ''}
            isRequired
          />
        )}
        {isSetUp && signUp === 'invite' && (
          <TextField
            name="invitation"
            label="Invitation"
            description="This cloud needs an invitation. Paste the code that you received."
            defaultValue={invitation}
            isRequired
          />
        )}
        {isSetUp && signUp === 'open' && invitation !== '' && (
          <input type="hidden" name="invitation" value={invitation} />
        )}
      </ActionForm>
      {isSetUp && <Issuers issuers={issuers} next={next} />}
      {isSetUp && (
        <p>
          Already have an account?{' '}
          <Link to="/sign-in" search={(search) => search}>
            Sign in
          </Link>
        </p>
      )}
    </>
  )
}
