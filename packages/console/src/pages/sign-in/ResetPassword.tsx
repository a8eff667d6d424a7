import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Notice } from '../../components/Notice.tsx'
import { useLinkParameters } from '../../url-state.ts'
import { EmailField } from './EmailField.tsx'
import { LinkFailure } from './LinkFailure.tsx'
import { NewPasswordField } from './NewPasswordField.tsx'
import { SignInFrame } from './SignInFrame.tsx'

/** Sends a link that resets the password; opened by that link, sets the new one. */
export function ResetPassword() {
  const token = useLinkParameters().get('token')
  return (
    <SignInFrame title="Reset your password">
      {token === null ? <RequestForm /> : <PasswordForm token={token} />}
      <p>
        <Link to="/sign-in">Back to sign-in</Link>
      </p>
    </SignInFrame>
  )
}

function RequestForm() {
  const [isSent, setSent] = useState(false)
  if (isSent) {
    return (
      <Notice tone="success" title="Look into your mail">
        If the address has an account, a link is on its way to it. It is valid for an hour. If nothing
        arrives, look for it in the spam folder, or ask the operator of this cloud: without a mail server, the
        link is in its log.
      </Notice>
    )
  }
  return (
    <>
      <p className="muted">A link to choose a new password is sent to your address.</p>
      <ActionForm
        submitLabel="Send the link"
        onSubmit={async (fields) => {
          const body = { email: fields.get('email') ?? '' }
          await unwrap(api.POST('/api/auth/request-password-reset', { body }))
          setSent(true)
        }}
      >
        <EmailField />
      </ActionForm>
    </>
  )
}

function PasswordForm({ token }: { readonly token: string }) {
  const [isDone, setDone] = useState(false)
  if (isDone) {
    return (
      <Notice tone="success" title="Your password was changed">
        You were signed out everywhere. Sign in with the new password.
      </Notice>
    )
  }
  return (
    <ActionForm
      submitLabel="Set the password"
      renderError={(error) => <LinkFailure error={error} to="/reset-password" />}
      onSubmit={async (fields) => {
        const body = { token, newPassword: fields.get('password') ?? '' }
        await unwrap(api.POST('/api/auth/reset-password', { body }))
        setDone(true)
      }}
    >
      <NewPasswordField label="New password" />
      <p className="muted">
        If you never confirmed your address, the account starts empty, unless this browser is signed in to it
        or created it.
      </p>
    </ActionForm>
  )
}
