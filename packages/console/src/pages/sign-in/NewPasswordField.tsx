import type { PasswordReview } from '@glasses-cloud/contract/password-policy'
import { useDeferredValue, useEffect, useState } from 'react'
import { PasswordField } from './PasswordField.tsx'
import { PasswordStrength, StrengthPlace } from './PasswordStrength.tsx'

type Review = typeof import('@glasses-cloud/contract/password-policy').reviewPassword

const MIN_LENGTH = 8
const MAX_LENGTH = 128

/** Loads the policy with its dictionaries, once. Without it the cloud alone judges. */
let loading: Promise<Review | undefined> | undefined
function loadPolicy(): Promise<Review | undefined> {
  loading ??= import('@glasses-cloud/contract/password-policy').then(
    ({ reviewPassword }) => reviewPassword,
    () => undefined,
  )
  return loading
}

export interface NewPasswordFieldProps {
  readonly label?: string
  /** The address of the user, which the password must not contain. */
  readonly email?: string | undefined
}

/** A field for a new password. It shows how strong the password is, and why the cloud would reject it. */
export function NewPasswordField({ label = 'Password', email }: NewPasswordFieldProps) {
  const [password, setPassword] = useState('')
  const review = useReview(useDeferredValue(password), email)
  return (
    <PasswordField
      name="password"
      label={label}
      description="At least 8 characters"
      hint={review === undefined ? <StrengthPlace /> : <PasswordStrength review={review} />}
      value={password}
      onChange={setPassword}
      onFocus={() => void loadPolicy()}
      minLength={MIN_LENGTH}
      maxLength={MAX_LENGTH}
      autoComplete="new-password"
      isRequired
    />
  )
}

/** Returns the review of a password that is long enough, once the policy is loaded. */
function useReview(password: string, email: string | undefined): PasswordReview | undefined {
  const [review, setReview] = useState<PasswordReview>()
  const isLongEnough = password.length >= MIN_LENGTH
  useEffect(() => {
    if (!isLongEnough) return setReview(undefined)
    let isCurrent = true
    const apply = (judge: Review | undefined) => {
      if (isCurrent) setReview(judge?.(password, { email }))
    }
    void loadPolicy().then(apply)
    return () => {
      isCurrent = false
    }
  }, [password, email, isLongEnough])
  return isLongEnough ? review : undefined
}
