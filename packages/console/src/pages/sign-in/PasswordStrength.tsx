import type { PasswordReview } from '@glasses-cloud/contract/password-policy'
import styles from './PasswordStrength.module.css'

const PROBLEMS = {
  common: 'One of the most used passwords. Choose another one.',
  address: 'Contains your e-mail address. Choose another one.',
  guessable: 'Easy to guess. Make it longer, with several words that do not belong together.',
} as const

const SEGMENTS = [1, 2, 3, 4] as const

/** The place of the strength, so that its arrival does not move the button that is being pressed. */
export function StrengthPlace() {
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
export function PasswordStrength({ review: { strength, problem } }: { readonly review: PasswordReview }) {
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
