import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Notice } from '../../components/Notice.tsx'
import { useLinkParameters } from '../../link-parameters.ts'
import { signIn as texts } from '../../texts/sign-in.ts'
import { EmailField, NewPasswordField } from './credential-fields.tsx'
import { SignInFrame } from './SignInFrame.tsx'

/** Sends a link that resets the password; opened by that link, sets the new one. */
export function ResetPassword() {
  const token = useLinkParameters().get('token')
  return (
    <SignInFrame title={texts.reset.title}>
      {token === null ? <RequestForm /> : <PasswordForm token={token} />}
      <p>
        <Link to="/sign-in">{texts.backToSignIn}</Link>
      </p>
    </SignInFrame>
  )
}

function RequestForm() {
  const [isSent, setSent] = useState(false)
  if (isSent) {
    return (
      <Notice tone="success" title={texts.reset.sent}>
        {texts.reset.sentHint}
      </Notice>
    )
  }
  return (
    <>
      <p className="muted">{texts.reset.hint}</p>
      <ActionForm
        submitLabel={texts.reset.request}
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
      <Notice tone="success" title={texts.reset.done}>
        {texts.reset.doneHint}
      </Notice>
    )
  }
  return (
    <ActionForm
      submitLabel={texts.reset.submit}
      onSubmit={async (fields) => {
        const body = { token, newPassword: fields.get('password') ?? '' }
        await unwrap(api.POST('/api/auth/reset-password', { body }))
        setDone(true)
      }}
    >
      <NewPasswordField label={texts.reset.newPassword} />
    </ActionForm>
  )
}
