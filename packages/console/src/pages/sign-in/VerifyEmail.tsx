import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { api, unwrap } from '../../api/client.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Notice } from '../../components/Notice.tsx'
import { useLinkParameters } from '../../link-parameters.ts'
import { EmailField } from './EmailField.tsx'
import { NewPasswordField } from './NewPasswordField.tsx'
import { SignInFrame } from './SignInFrame.tsx'
import { signInTexts, verifyEmailTexts } from './sign-in.texts.ts'

/** What the link still needs: a button, or a new password where it was opened in another browser. */
type Step = 'confirm' | 'claim' | keyof typeof verifyEmailTexts.done

/**
 * Confirms the address of a new account, opened by a link in a message. A button does it, because mail programs open
 * links by themselves. Without a link, sends a new one.
 */
export function VerifyEmail() {
  const token = useLinkParameters().get('token')
  const [step, setStep] = useState<Step>('confirm')
  return (
    <SignInFrame title={verifyEmailTexts.title}>
      {step === 'confirm' && token === null && <RequestForm onSent={() => setStep('sent')} />}
      {step === 'confirm' && token !== null && <ConfirmForm token={token} onDone={setStep} />}
      {step === 'claim' && token !== null && <ClaimForm token={token} onClaimed={() => setStep('claimed')} />}
      {step !== 'confirm' && step !== 'claim' && (
        <Notice tone="success" title={verifyEmailTexts.done[step]} />
      )}
      <p>
        <Link to="/sign-in">{signInTexts.backToSignIn}</Link>
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
      submitLabel={verifyEmailTexts.confirm}
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
      <p className="muted">{verifyEmailTexts.hint}</p>
    </ActionForm>
  )
}

function ClaimForm({ token, onClaimed }: { readonly token: string; readonly onClaimed: () => void }) {
  const { title, wasYou, wasNotYou } = verifyEmailTexts.otherBrowser
  return (
    <>
      <Notice tone="warning" title={title}>
        <p>{wasYou}</p>
        <p>{wasNotYou}</p>
      </Notice>
      <ActionForm
        submitLabel={verifyEmailTexts.claim}
        onSubmit={async (fields) => {
          const body = { token, newPassword: fields.get('password') ?? '' }
          await unwrap(api.POST('/api/auth/verify-email', { body }))
          onClaimed()
        }}
      >
        <NewPasswordField label={signInTexts.fields.newPassword} />
      </ActionForm>
    </>
  )
}

function RequestForm({ onSent }: { readonly onSent: () => void }) {
  return (
    <ActionForm
      submitLabel={verifyEmailTexts.send}
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
