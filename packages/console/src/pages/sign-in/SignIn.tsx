import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { hasPasskeys, PasskeyError, signInWithPasskey } from '../../api/passkeys.ts'
import { useLinkedAccounts } from '../../api/security.ts'
import { type SignInOptions, signInOptionsQuery, useSignedIn } from '../../api/sign-in.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Button } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { TextField } from '../../components/TextField.tsx'
import { useAction } from '../../components/use-action.ts'
import { useLinkParameters } from '../../link-parameters.ts'
import { EmailField } from './credential-fields.tsx'
import { Issuers } from './Issuers.tsx'
import { SignInFrame } from './SignInFrame.tsx'

/** A code of an authenticator app, which some apps show in two groups; anything else is a backup code. */
const IS_TOTP = /^\d{3}\s?\d{3}$/

/** Signs in: with a password and perhaps a code, with a passkey, or with an OpenID Connect issuer. */
export function SignIn() {
  // Why a sign-in at an issuer failed.
  const parameters = useLinkParameters()
  const failure = parameters.get('error')
  const options = useQuery(signInOptionsQuery)
  const [needsCode, setNeedsCode] = useState(false)
  return (
    <SignInFrame title="Sign in">
      {failure !== null && <Notice tone="danger" title={failure} />}
      <QueryState query={options}>
        {(loaded) =>
          needsCode ? (
            <CodeForm issuer={parameters.get('link')} />
          ) : (
            <PasswordForm
              options={loaded}
              issuer={parameters.get('link')}
              onCodeRequired={() => setNeedsCode(true)}
            />
          )
        }
      </QueryState>
    </SignInFrame>
  )
}

/**
 * Leads to the next page after the sign-in.
 * @param issuer where the user has an account to be linked first: the issuer sends the browser back to that page
 */
function useContinue(issuer: string | null) {
  const { to = '/' } = useSearch({ from: '/sign-in' })
  const { link } = useLinkedAccounts()
  const navigate = useNavigate()
  const signedIn = useSignedIn()
  return async () => {
    await signedIn()
    if (issuer === null) await navigate({ href: to, replace: true })
    else window.location.assign(await link(issuer, to))
  }
}

interface PasswordFormProps {
  readonly options: SignInOptions
  /** Where the user has an account to be linked. */
  readonly issuer: string | null
  readonly onCodeRequired: () => void
}

function PasswordForm({ options, issuer, onCodeRequired }: PasswordFormProps) {
  const { to = '/' } = useSearch({ from: '/sign-in' })
  const proceed = useContinue(issuer)
  return (
    <>
      <ActionForm
        submitLabel="Sign in"
        onSubmit={async (fields) => {
          const body = { email: fields.get('email') ?? '', password: fields.get('password') ?? '' }
          const { twoFactorRedirect } = await unwrap(api.POST('/api/auth/sign-in/email', { body }))
          if (twoFactorRedirect) onCodeRequired()
          else await proceed()
        }}
      >
        <EmailField />
        <TextField
          name="password"
          type="password"
          label="Password"
          autoComplete="current-password"
          isRequired
        />
      </ActionForm>
      {options.passkeys && hasPasskeys && <PasskeyButton onSignedIn={proceed} />}
      <Issuers issuers={options.issuers} next={to} />
      <p>
        <Link to="/reset-password">Forgot the password?</Link>
      </p>
      <p>
        {options.signUp === 'closed' ? (
          <span className="muted">This cloud accepts no new accounts. Ask its operator for one.</span>
        ) : (
          <>
            No account yet?{' '}
            <Link to="/sign-up" search={(search) => search}>
              Create an account
            </Link>
          </>
        )}
      </p>
    </>
  )
}

function PasskeyButton({ onSignedIn }: { readonly onSignedIn: () => Promise<void> }) {
  const { run, isPending, error } = useAction(async () => {
    await signInWithPasskey()
    await onSignedIn()
  })

  return (
    <>
      <Button isPending={isPending} onPress={() => run()}>
        Sign in with a passkey
      </Button>
      {error !== undefined && (
        <Notice
          tone="danger"
          title={
            error instanceof PasskeyError
              ? 'No passkey was used. Try again, or sign in with your password.'
              : error.message
          }
        />
      )}
    </>
  )
}

/** The second step for accounts with an authenticator app: its code, or a backup code. */
function CodeForm({ issuer }: Pick<PasswordFormProps, 'issuer'>) {
  const proceed = useContinue(issuer)
  return (
    <ActionForm
      submitLabel="Continue"
      onSubmit={async (fields) => {
        const code = fields.get('code')?.trim() ?? ''
        const body = { code: IS_TOTP.test(code) ? code.replaceAll(/\s/g, '') : code }
        await unwrap(
          IS_TOTP.test(code)
            ? api.POST('/api/auth/two-factor/verify-totp', { body })
            : api.POST('/api/auth/two-factor/verify-backup-code', { body }),
        )
        await proceed()
      }}
    >
      <TextField
        name="code"
        label="Code"
        description="The six digits that your authenticator app shows now, or one of your backup codes."
        autoComplete="one-time-code"
        isRequired
        autoFocus
      />
    </ActionForm>
  )
}
