import { useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import type { SignInOptions } from '../../api/sign-in.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { TextField } from '../../components/TextField.tsx'
import { EmailField } from './EmailField.tsx'
import { Issuers } from './Issuers.tsx'
import { PasskeySignIn } from './PasskeySignIn.tsx'
import { PasswordField } from './PasswordField.tsx'

/** A code of an authenticator app, which some apps show in two groups; anything else is a backup code. */
const IS_TOTP = /^\d{3}\s?\d{3}$/

export interface SignInFormProps {
  readonly options: SignInOptions
  /** Filled in. */
  readonly email?: string | undefined
  /** Address of the page to which an issuer sends the browser back. */
  readonly next: string
  readonly onSignedIn: () => Promise<void>
}

/** Signs in: with a password and perhaps a code, with a passkey, or with an OpenID Connect issuer. */
export function SignInForm({ options, email, next, onSignedIn }: SignInFormProps) {
  const [needsCode, setNeedsCode] = useState(false)
  if (needsCode) return <CodeForm onSignedIn={onSignedIn} />
  return (
    <>
      <ActionForm
        submitLabel="Sign in"
        onSubmit={async (fields) => {
          const body = { email: fields.get('email') ?? '', password: fields.get('password') ?? '' }
          const { twoFactorRedirect } = await unwrap(api.POST('/api/auth/sign-in/email', { body }))
          if (twoFactorRedirect) setNeedsCode(true)
          else await onSignedIn()
        }}
      >
        <EmailField defaultValue={email} />
        <PasswordField name="password" label="Password" autoComplete="current-password" isRequired />
      </ActionForm>
      <PasskeySignIn isAvailable={options.passkeys} onSignedIn={onSignedIn} />
      <Issuers issuers={options.issuers} next={next} />
    </>
  )
}

/** The second step for accounts with an authenticator app: its code, or a backup code. */
function CodeForm({ onSignedIn }: Pick<SignInFormProps, 'onSignedIn'>) {
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
        await onSignedIn()
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
