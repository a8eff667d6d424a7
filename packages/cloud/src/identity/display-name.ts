import type { User } from './user-store.ts'

/** Maximum length of a name that others see, in characters. */
const MAX_LENGTH = 200

/**
 * Returns the name under which a user is shown to others: the display name of the profile, otherwise the name of the
 * account, on one line. A name that contains an e-mail address, or is the part of the user's own before the `@`, is never
 * shown (decision C14).
 * @returns undefined if the user has no name that may be shown
 */
export function displayNameOf({
  email,
  name,
  profile,
}: Pick<User, 'email' | 'name' | 'profile'>): string | undefined {
  return [profile.displayName ?? '', name]
    .map((candidate) => candidate.replace(/[\s\p{Cc}]+/gu, ' ').trim())
    .find((candidate) => candidate !== '' && !revealsEmail(candidate, email))
    ?.slice(0, MAX_LENGTH)
}

function revealsEmail(candidate: string, email: string): boolean {
  // Other forms of the same characters, such as a full-width @, count as well.
  const plain = candidate.normalize('NFKC').toLowerCase()
  const [localPart] = email.split('@')
  return /\S@\S/.test(plain) || plain === localPart
}
