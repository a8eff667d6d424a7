import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Notice } from '../../components/Notice.tsx'
import { useLinkParameters } from '../../link-parameters.ts'
import { EmailField } from './credential-fields.tsx'
import { SignInFrame } from './SignInFrame.tsx'

const texts = {
  verifyEmail: {
    title: 'Confirm your e-mail address',
    hint: 'This shows that messages to the address reach you.',
    confirm: 'Confirm',
    send: 'Send a new link',
    confirmed: 'Your address is confirmed. You can sign in now.',
    sent: 'If the address has an unconfirmed account, a link was sent to it.',
  },
} as const

/**
 * Confirms the address of a new account, opened by a link in a message. A button does it, because mail programs open
 * links by themselves. Without a link, sends a new one.
 */
export function VerifyEmail() {
  const token = useLinkParameters().get('token')
  const [done, setDone] = useState<'confirmed' | 'sent'>()
  return (
    <SignInFrame title={texts.verifyEmail.title}>
      {done !== undefined && <Notice tone="success" title={texts.verifyEmail[done]} />}
      {done === undefined && token !== null && (
        <ActionForm
          submitLabel={texts.verifyEmail.confirm}
          onSubmit={async () => {
            await unwrap(api.POST('/api/auth/verify-email', { body: { token } }))
            setDone('confirmed')
          }}
        >
          <p className="muted">{texts.verifyEmail.hint}</p>
        </ActionForm>
      )}
      {done === undefined && token === null && (
        <ActionForm
          submitLabel={texts.verifyEmail.send}
          onSubmit={async (fields) => {
            const body = { email: fields.get('email') ?? '' }
            await unwrap(api.POST('/api/auth/send-verification-email', { body }))
            setDone('sent')
          }}
        >
          <EmailField />
        </ActionForm>
      )}
      <p>
        <Link to="/sign-in">Back to sign-in</Link>
      </p>
    </SignInFrame>
  )
}
