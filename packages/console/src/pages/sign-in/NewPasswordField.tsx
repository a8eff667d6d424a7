import type { PasswordReview } from '@glasses-cloud/contract/password-policy'
import { useDeferredValue, useEffect, useState } from 'react'
import { PasswordField } from './PasswordField.tsx'
import styles from './PasswordStrength.module.css'

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

const PROBLEMS = {
  common: 'One of the most used passwords. Choose another one.',
  address: 'Contains your e-mail address. Choose another one.',
  guessable: 'Easy to guess. Make it longer, with several words that do not belong together.',
} as const

const SEGMENTS = [1, 2, 3, 4] as const

/** The place of the strength, so that its arrival does not move the button that is being pressed. */
function StrengthPlace() {
  return (
    <div className={styles.strength} aria-hidden>
      <span className={styles.bar}>
        {SEGMENTS.map((segment) => (
          <span key={segment} className={styles.empty} />
        ))}
      </span>
      <span>{'\u00a0'}</span>
    </div>
  )
}

/** How strong a password is, as a bar and in words. */
function PasswordStrength({ review: { strength, problem } }: { readonly review: PasswordReview }) {
  // One that is rejected is never shown as a good one.
  const level = Math.max(1, problem === undefined ? Math.max(2, strength) : 1)
  const tone = problem !== undefined ? styles.weak : level < 4 ? styles.fair : styles.strong

  return (
    <div className={`${styles.strength} ${tone}`}>
      <span className={styles.bar} aria-hidden>
        {SEGMENTS.map((segment) => (
          <span key={segment} className={segment <= level ? styles.filled : styles.empty} />
        ))}
      </span>
      <span role="status">{problem === undefined ? (level < 4 ? 'Good' : 'Strong') : PROBLEMS[problem]}</span>
    </div>
  )
}
