import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { type SignInOptions, signInOptionsQuery, useSignedIn } from '../../api/sign-in.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Notice } from '../../components/Notice.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { TextField } from '../../components/TextField.tsx'
import { useLinkParameters } from '../../link-parameters.ts'
import { signIn as texts } from '../../texts/sign-in.ts'
import { EmailField, NewPasswordField } from './credential-fields.tsx'
import { Issuers } from './Issuers.tsx'
import { SignInFrame } from './SignInFrame.tsx'

/** Creates an account, perhaps with the invitation of a link. On a new cloud it is that of the administrator. */
export function SignUp() {
  const options = useQuery(signInOptionsQuery)
  const parameters = useLinkParameters()
  return (
    <SignInFrame title={options.data?.isSetUp === false ? texts.setUpTitle : texts.signUpTitle}>
      <QueryState query={options}>
        {(loaded) =>
          loaded.isSetUp && loaded.signUp === 'closed' ? (
            <p>{texts.closed}</p>
          ) : (
            <SignUpForm options={loaded} parameters={parameters} />
          )
        }
      </QueryState>
    </SignInFrame>
  )
}

interface SignUpFormProps {
  readonly options: SignInOptions
  /** The parameters of an invitation link. */
  readonly parameters: URLSearchParams
}

function SignUpForm({ options, parameters }: SignUpFormProps) {
  const [isLinkSent, setLinkSent] = useState(false)
  const { to = '/' } = useSearch({ from: '/sign-up' })
  const navigate = useNavigate()
  const signedIn = useSignedIn()
  const { isSetUp, setUpCodeRequired, signUp, issuers } = options
  if (isLinkSent) {
    return (
      <Notice tone="success" title={texts.linkSent.title}>
        {texts.linkSent.hint}
      </Notice>
    )
  }
  return (
    <>
      {!isSetUp && <p className="muted">{texts.setUpHint}</p>}
      <ActionForm
        submitLabel={isSetUp ? texts.signUp : texts.setUp}
        onSubmit={async (fields) => {
          const { email = '', password = '', ...optional } = Object.fromEntries(fields)
          const body = { email, password, ...optional }
          const { token } = await unwrap(api.POST('/api/auth/sign-up/email', { body }))
          // Where addresses are confirmed, a new account is not signed in.
          if (token === null) return setLinkSent(true)
          await signedIn()
          await navigate({ href: isSetUp ? to : '/welcome', replace: true })
        }}
      >
        <EmailField defaultValue={parameters.get('email') ?? undefined} />
        <NewPasswordField />
        <TextField name="name" label={texts.name} autoComplete="name" />
        {setUpCodeRequired && (
          <TextField name="setUpCode" label={texts.setUpCode} description={texts.setUpCodeHint} isRequired />
        )}
        {isSetUp && signUp === 'invite' && (
          <TextField
            name="invitation"
            label={texts.invitation}
            description={texts.invitationHint}
            defaultValue={parameters.get('invitation') ?? ''}
            isRequired
          />
        )}
      </ActionForm>
      {isSetUp && <Issuers issuers={issuers} next={to} />}
      {isSetUp && (
        <p>
          {texts.toSignIn}{' '}
          <Link to="/sign-in" search={(search) => search}>
            {texts.title}
          </Link>
        </p>
      )}
    </>
  )
}
