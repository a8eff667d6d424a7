import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { api, unwrap } from '../../api/client.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Notice } from '../../components/Notice.tsx'
import { useLinkParameters } from '../../url-state.ts'
import { EmailField } from './EmailField.tsx'
import { LinkFailure } from './LinkFailure.tsx'
import { NewPasswordField } from './NewPasswordField.tsx'
import { SignInFrame } from './SignInFrame.tsx'

const DONE = {
  confirmed: 'Your address is confirmed. You can sign in now.',
  claimed: 'Your account is ready. Sign in with the new password.',
  sent: 'If the address has an unconfirmed account, a link is on its way to it. If nothing arrives, look for it in the spam folder, or ask the operator of this cloud.',
} as const

/** What the link still needs: a button, or a new password where it was opened in another browser. */
type Step = 'confirm' | 'claim' | keyof typeof DONE

/**
 * Confirms the address of a new account, opened by a link in a message. A button does it, because mail programs open
 * links by themselves. Without a link, sends a new one.
 */
export function VerifyEmail() {
  const token = useLinkParameters().get('token')
  const [step, setStep] = useState<Step>('confirm')
  return (
    <SignInFrame title="Confirm your address">
      {step === 'confirm' && token === null && <RequestForm onSent={() => setStep('sent')} />}
      {step === 'confirm' && token !== null && <ConfirmForm token={token} onDone={setStep} />}
      {step === 'claim' && token !== null && <ClaimForm token={token} onClaimed={() => setStep('claimed')} />}
      {step !== 'confirm' && step !== 'claim' && <Notice tone="success" title={DONE[step]} />}
      <p>
        <Link to="/sign-in">Back to sign-in</Link>
      </p>
    </SignInFrame>
  )
}

interface ConfirmFormProps {
  readonly token: string
  readonly onDone: (step: Step) => void
}

function ConfirmForm({ token, onDone }: ConfirmFormProps) {
  return (
    <ActionForm
      submitLabel="Confirm"
      renderError={(error) => <LinkFailure error={error} to="/verify-email" />}
      onSubmit={async () => {
        try {
          await unwrap(api.POST('/api/auth/verify-email', { body: { token } }))
          onDone('confirmed')
        } catch (error) {
          if (!(error instanceof ApiError) || error.code !== 'NEW_PASSWORD_REQUIRED') throw error
          onDone('claim')
        }
      }}
    >
      <p className="muted">This shows that messages to the address reach you.</p>
    </ActionForm>
  )
}

function ClaimForm({ token, onClaimed }: { readonly token: string; readonly onClaimed: () => void }) {
  return (
    <>
      <Notice tone="warning" title="The account was created in another browser">
        <p>If it was you, open the link in the browser where you created it.</p>
        <p>
          If it was not you, somebody else entered your address. Set a password of your own: everything that
          was made with the account is deleted.
        </p>
      </Notice>
      <ActionForm
        submitLabel="Start with a new account"
        renderError={(error) => <LinkFailure error={error} to="/verify-email" />}
        onSubmit={async (fields) => {
          const body = { token, newPassword: fields.get('password') ?? '' }
          await unwrap(api.POST('/api/auth/verify-email', { body }))
          onClaimed()
        }}
      >
        <NewPasswordField label="New password" />
      </ActionForm>
    </>
  )
}

function RequestForm({ onSent }: { readonly onSent: () => void }) {
  return (
    <ActionForm
      submitLabel="Send a new link"
      onSubmit={async (fields) => {
        const body = { email: fields.get('email') ?? '' }
        await unwrap(api.POST('/api/auth/send-verification-email', { body }))
        onSent()
      }}
    >
      <EmailField />
    </ActionForm>
  )
}
