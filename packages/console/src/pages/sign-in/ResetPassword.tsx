import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Notice } from '../../components/Notice.tsx'
import { useLinkParameters } from '../../link-parameters.ts'
import { EmailField } from './EmailField.tsx'
import { NewPasswordField } from './NewPasswordField.tsx'
import { SignInFrame } from './SignInFrame.tsx'
import { resetPasswordTexts, signInTexts } from './sign-in.texts.ts'

/** Sends a link that resets the password; opened by that link, sets the new one. */
export function ResetPassword() {
  const token = useLinkParameters().get('token')
  return (
    <SignInFrame title={resetPasswordTexts.title}>
      {token === null ? <RequestForm /> : <PasswordForm token={token} />}
      <p>
        <Link to="/sign-in">{signInTexts.backToSignIn}</Link>
      </p>
    </SignInFrame>
  )
}

function RequestForm() {
  const [isSent, setSent] = useState(false)
  if (isSent) {
    return (
      <Notice tone="success" title={resetPasswordTexts.sent.title}>
        {resetPasswordTexts.sent.text}
      </Notice>
    )
  }
  return (
    <>
      <p className="muted">{resetPasswordTexts.hint}</p>
      <ActionForm
        submitLabel={resetPasswordTexts.send}
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
      <Notice tone="success" title={resetPasswordTexts.done.title}>
        {resetPasswordTexts.done.text}
      </Notice>
    )
  }
  return (
    <ActionForm
      submitLabel={resetPasswordTexts.set}
      onSubmit={async (fields) => {
        const body = { token, newPassword: fields.get('password') ?? '' }
        await unwrap(api.POST('/api/auth/reset-password', { body }))
        setDone(true)
      }}
    >
      <NewPasswordField label={signInTexts.fields.newPassword} />
      <p className="muted">{resetPasswordTexts.unconfirmed}</p>
    </ActionForm>
  )
}
